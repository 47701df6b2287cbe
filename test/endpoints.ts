import { endpoints as all, endpointSchemas as of } from '../server/kit/endpoints.ts';

/** Every endpoint of the contract, so that new ones are tested automatically. Exported here, because web tests may not import the server. */
export const endpoints = all;
export const schemasOf = of;
