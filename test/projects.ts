/* Which tests run where (vitest.config.ts). */

export const UNIT = [
  'contract/**/*.test.ts',
  '{server,demo}/**/*.unit.test.ts',
  'web/**/*.test.ts',
  'test/{architecture,audit,bank-month,bundle,controls,deploy,docs,errors-doc,faults,recipes,security-doc,small-faults,templates,weight}.test.ts',
];
/** Tests that start their own processes and clusters. They mostly wait, so `npm test` runs them beside the component tests. */
export const MACHINE = [
  'server/{archive/archive,backups/backups,commands/commands,jobs/killed,db/hold,db/lock,db/open,db/embedded/become,db/embedded/embedded}.test.ts',
  'test/{doc-commands,durability,release,restart,upgrade}.test.ts',
];
/** API tests, but for those of the two others. */
export const API = ['{server,demo}/**/*.test.ts', 'test/*.test.ts'];
