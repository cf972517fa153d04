# The service on one machine, from the package that `npm run pack` makes:
#   npm run pack && docker build -t strata . && docker run --rm --init --network host -v strata:/data strata
# All servers listen on the loopback address alone, so the container shares the network of the host.
FROM node:24-bookworm-slim AS install
WORKDIR /service
COPY dist/strata-service-*.tgz ./service.tgz
RUN npm install --omit=dev --no-audit --no-fund ./service.tgz && npm cache clean --force

FROM node:24-bookworm-slim
RUN mkdir /data && chown node:node /data
COPY --from=install --chown=node:node /service/node_modules /service/node_modules
USER node
VOLUME /data
ENTRYPOINT ["/service/node_modules/.bin/strata-service", "--data", "/data"]
