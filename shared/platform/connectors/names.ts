/** Function that lists what the scope of a connector can contain. */
export const connectorBrowserFunction = 'connector-browser';
