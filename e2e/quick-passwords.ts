import { COST } from '../server/session/passwords.ts';

// Makes passwords cheap to hash, because tests sign in more than anything else. Preloaded into the server under test.
Object.assign(COST, { memory: 64, passes: 1 });
