type Make<Client> = (region: string) => Client;

/** One client per region for the life of the process, so that connections are kept. */
export const perRegion = <Client>(make: Make<Client>): Make<Client> => {
  const clients = new Map<string, Client>();
  return (region) => {
    const known = clients.get(region);
    if (known !== undefined) return known;
    const client = make(region);
    clients.set(region, client);
    return client;
  };
};
