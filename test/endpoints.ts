import { endpoints as all, schemasOf as of } from '../server/kit/endpoints.ts';

/** Every endpoint of the contract, so that new endpoints are tested automatically. Exported here because tests of the web may not import the server. */
export const endpoints = all;
export const schemasOf = of;
