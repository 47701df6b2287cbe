import { COST } from '../server/session/passwords.ts';

// Preloaded into the server of the browser tests, because they sign in more than anything else.
Object.assign(COST, { memory: 64, passes: 1 });
