import { COST } from '../server/session/passwords.ts';

// Loaded into the server of the tests before the program: signing in is what a browser test does most.
Object.assign(COST, { memory: 64, passes: 1 });
