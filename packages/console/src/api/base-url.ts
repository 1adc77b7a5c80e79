// A variable, because the bundler would replace an address that it can see.
const script: string = import.meta.url;

/** Address of this server without a trailing slash, such as `https://erp.example/api`: the scripts are two levels below it. */
export const serverUrl: string = new URL('../..', script).href.replace(/\/+$/, '');

/** Path of the pages: `/console`, after the public path of the server. */
export const basePath: string = `${new URL(serverUrl).pathname.replace(/\/+$/, '')}/console`;
