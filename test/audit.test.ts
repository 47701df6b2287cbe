import { describe, expect, test } from 'vitest';
import { judge, type Report } from './audit.ts';

const advisory = (id: string, name: string, severity = 'high') => ({
  source: 1_100_000,
  name,
  title: 'Parses for ever',
  url: `https://github.com/advisories/${id}`,
  severity,
});
const PARSER = 'GHSA-aaaa-bbbb-cccc';
const SIGNER = 'GHSA-dddd-eeee-ffff';
const REPORT: Report = {
  vulnerabilities: {
    parser: { via: [advisory(PARSER, 'parser')] },
    // `via` names the package through which `framework` is affected.
    framework: { via: ['parser', advisory(SIGNER, 'signer', 'low')] },
    signer: { via: [advisory(SIGNER, 'signer', 'low')] },
  },
};

describe('the audit passes', () => {
  test('the audit passes without vulnerabilities and explanations', () => {
    expect(judge({ vulnerabilities: {} }, {})).toEqual({ exitCode: 0, lines: ['Nothing known'] });
  });
  test('the audit passes if each finding is explained', () => {
    expect(judge(REPORT, { [PARSER]: 'only of the build', [SIGNER]: 'not called' })).toEqual({
      exitCode: 0,
      lines: ['2 known, each explained in docs/audit.json'],
    });
  });
  test('the audit passes if a finding concerns only what is not shipped', () => {
    expect(judge(REPORT, {}, (name) => name === 'builder')).toEqual({ exitCode: 0, lines: ['Nothing known'] });
  });
  test.each([404, 405, 501])('the audit passes with a warning if the registry has no audit endpoint and answers %i', (statusCode) => {
    const { exitCode, lines } = judge({ message: 'Method Not Allowed', statusCode }, {});
    expect([exitCode, lines]).toEqual([0, ['NOT CHECKED: this registry has no audit endpoint. Method Not Allowed']]);
  });
});

describe('the audit fails', () => {
  test('the audit fails for an unexplained finding, which is named once', () => {
    expect(judge(REPORT, { [PARSER]: 'only of the build' })).toEqual({
      exitCode: 1,
      lines: [`${SIGNER} (low) signer: Parses for ever https://github.com/advisories/${SIGNER}`],
    });
  });
  test('the audit fails for an unexplained finding of a library of the screens', () => {
    const { exitCode, lines } = judge(REPORT, { [PARSER]: 'not called' }, (name) => ['framework', 'react'].includes(name));
    expect([exitCode, lines[0]]).toEqual([1, expect.stringContaining(SIGNER)]);
  });
  test('the audit fails for an empty explanation', () => {
    expect(judge(REPORT, { [PARSER]: ' ', [SIGNER]: 'not called' }).exitCode).toBe(1);
  });
  test('the audit fails for an explanation whose finding is gone', () => {
    expect(judge({ vulnerabilities: {} }, { [PARSER]: 'only of the build' })).toEqual({
      exitCode: 1,
      lines: [`${PARSER} is explained in docs/audit.json and no longer found: delete it there`],
    });
  });
  test('a finding without a GitHub advisory is named by its npm number', () => {
    const other = { ...advisory('', 'parser'), url: 'https://example.org/7', source: 7 };
    expect(judge({ vulnerabilities: { parser: { via: [other] } } }, {}).lines).toEqual([
      '7 (high) parser: Parses for ever https://example.org/7',
    ]);
  });
  test.each<[string, Report]>([
    ['the network', { message: 'request to https://registry.npmjs.org failed' }],
    ['the registry itself', { message: 'Service Unavailable', statusCode: 503 }],
    ['npm, which printed nothing', {}],
  ])('the audit fails with exit code 2 if no report comes because of %s', (_, report) => {
    expect(judge(report, {})).toMatchObject({ exitCode: 2, lines: [expect.stringContaining('Not checked')] });
  });
});
