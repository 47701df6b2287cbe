import { SETTINGS } from './fields.ts';
import type { Setting, TabName } from './setting.ts';

type Table = typeof SETTINGS;
export type SettingName = { [K in keyof Table]: Table[K] extends { isFor: unknown } ? never : K }[keyof Table];
export type SecretName = Exclude<keyof Table, SettingName>;
type ValueOf<S> = S extends { kind: 'switch' }
  ? boolean
  : S extends { kind: 'money'; initial: '' }
    ? number | ''
    : S extends { kind: 'integer' | 'money' }
      ? number
      : S extends { options: infer O }
        ? keyof O & string
        : string;
export type Settings = { [K in SettingName]: ValueOf<Table[K]> };

const rows = Object.entries<Setting>(SETTINGS);
export const SECRET_NAMES = rows.flatMap(([name, { isFor }]) => (isFor ? [name as SecretName] : []));
export const SETTING_NAMES = rows.flatMap(([name, { isFor }]) => (isFor ? [] : [name as SettingName]));
export const DEFAULT_SETTINGS = Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].initial])) as Settings;

/** Words for the other superadmins about these changes; empty if none requires step-up. */
export const provenWords = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => rows.find(([known]) => known === name)?.[1].proof ?? [])),
];
/** Terms after which data is deleted or anonymised for good; 0: never. A shorter term takes effect a day later. */
export const TERMS = ['anonymizeMonths', 'retentionDays', 'proofMonths'] as const satisfies SettingName[];

export type FieldName = keyof Table;
export const tabFields = (tab: TabName) => rows.filter(([, setting]) => setting.tab === tab) as [FieldName, Setting][];
export const isSecret = (name: FieldName): name is SecretName => 'isFor' in SETTINGS[name];
