// @ts-check

const outside = '^node_modules/';
/** @param {readonly string[]} names */
const installed = (names) => `${outside}(${names.join('|')})(/|$)`;

const awsSdk = ['@aws-sdk/.+', '@smithy/.+'];
const engine = ['@lancedb/.+', 'apache-arrow'];
const models = ['@huggingface/tokenizers', 'onnxruntime-node'];
const readers = ['@hyzyla/pdfium', '@mozilla/readability', 'chardet', 'file-type', 'linkedom', 'marked'];
const delivery = ['svix', 'undici', 'ipaddr\\.js'];
const foundations = ['kernel', 'platform', 'db', 'http', 'pipeline'];
const entity = `^shared/(?!(?:${foundations.join('|')})/)([^/]+)/`;
const service = '^(functions|shared)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A cycle has no first module to read; move what both sides need below them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'kernel-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^shared/kernel/' },
      to: { pathNot: ['^shared/kernel/', outside], dependencyTypesNot: ['core'] },
    },
    {
      name: 'foundations-not-to-entities',
      comment: 'shared/{db,http,pipeline,platform} serve every entity and know none.',
      severity: 'error',
      from: { path: `^shared/(${foundations.join('|')})/` },
      to: { path: entity },
    },
    {
      name: 'platform-stands-alone',
      comment: 'Adapters know the kernel and nothing above it.',
      severity: 'error',
      from: { path: '^(shared/platform|packages/(engine|documents)/src)/' },
      to: { path: '^shared/(?!platform/|kernel/)' },
    },
    {
      name: 'packages-through-entry',
      comment: 'A package is used through its src/index.ts, by all but its own tests.',
      severity: 'error',
      from: { pathNot: '^packages/' },
      to: { path: '^packages/(engine|documents|local-cloud)/src/', pathNot: '/src/index\\.ts$' },
    },
    {
      name: 'packages-through-entry-of-another',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/(engine|documents|local-cloud)/src/',
        pathNot: ['^packages/$1/', '/src/index\\.ts$'],
      },
    },
    {
      name: 'engine-adapters-apart',
      comment: 'What a change means is decided in changes/, once for all adapters, which know nothing of each other.',
      severity: 'error',
      from: { path: '^packages/engine/src/(changes|lance|s3-vectors)/' },
      to: { path: '^packages/engine/src/(lance|s3-vectors)/', pathNot: '^packages/engine/src/$1/' },
    },
    {
      name: 'http-not-to-pipeline',
      comment: 'Workers may use what endpoints do, never back; what both need is in the kernel.',
      severity: 'error',
      from: { path: '^shared/http/' },
      to: { path: '^shared/pipeline/' },
    },
    {
      name: 'shared-not-to-outer',
      comment: 'functions → shared, never back.',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(functions|lib|bin|packages/local-cloud|scripts|test|bench)/' },
    },
    {
      name: 'entities-through-index',
      comment: 'An entity is used through its index.ts.',
      severity: 'error',
      from: { path: entity },
      to: { path: entity, pathNot: ['^shared/$1/', '^shared/[^/]+/index\\.ts$'] },
    },
    {
      name: 'functions-only-to-shared',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^(lib|bin|packages/local-cloud|scripts|test|bench)/' },
    },
    {
      name: 'lib-through-registry',
      comment: 'What is synthesized derives from the registry.',
      severity: 'error',
      from: { path: '^(lib|bin)/' },
      to: { path: '^functions/', pathNot: '^functions/registry\\.ts$' },
    },
    {
      name: 'lib-not-to-outer',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(bin|packages/local-cloud|scripts|test|bench)/' },
    },
    {
      name: 'bin-only-to-lib',
      severity: 'error',
      from: { path: '^bin/' },
      to: { path: '^(functions|shared|packages|scripts|test|bench)/' },
    },
    {
      name: 'local-only-for-tools',
      comment: 'What runs in AWS must not know that it can run elsewhere.',
      severity: 'error',
      from: { pathNot: '^(packages/local-cloud|packages/[^/]+/test|test|scripts|bench)/' },
      to: { path: '^packages/local-cloud/' },
    },
    {
      name: 'nothing-from-tests',
      severity: 'error',
      from: { pathNot: '^(test|packages/[^/]+/test)/' },
      to: { path: '^(test|packages/[^/]+/test)/' },
    },
    {
      name: 'sdk-only-in-platform',
      comment: 'AWS, engine, models and content libraries stay behind the ports of shared/platform.',
      severity: 'error',
      from: { path: service, pathNot: '^shared/(platform|db)/' },
      to: { path: installed([...awsSdk, ...engine, ...models, ...readers, ...delivery]) },
    },
    {
      name: 'attributes-only-in-db',
      severity: 'error',
      from: { path: service, pathNot: '^shared/db/' },
      to: { path: installed(['@aws-sdk/util-dynamodb']) },
    },
    {
      name: 'db-only-to-dynamodb',
      severity: 'error',
      from: { path: '^shared/db/' },
      to: { path: outside, pathNot: installed(['@aws-sdk/(client|util)-dynamodb', 'dataloader']) },
    },
    {
      name: 'cdk-only-in-lib',
      severity: 'error',
      from: { path: service },
      to: { path: installed(['aws-cdk-lib', 'constructs', 'cdk-nag']) },
    },
    {
      name: 'not-to-dev-dependencies',
      comment: 'What functions bundle and what builds the stacks is a dependency.',
      severity: 'error',
      from: { path: service },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-listed-packages',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    // A linked node_modules is still node_modules.
    preserveSymlinks: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
