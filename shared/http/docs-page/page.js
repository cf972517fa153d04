// Credentials stay in the memory of the page. An earlier version of it kept them under this name.
localStorage.removeItem('authorized');

// oxlint-disable-next-line typescript/no-unsafe-call -- the script before this one defines it
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#api',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
