import type { ApiError } from '../api.ts';

/* What a carrier does on a phone, as it is stored. No first screen loads the store for these few lines. */

/** A call about one order (a step, a comment, a load, the day's route), or a file of a step. */
export type Operation = {
  /** Idempotency key, made once. */
  id: string;
  /** Order of making, given by the store. */
  seq?: number;
  /** Id of the person; another one neither sees nor sends it. */
  person: string;
  /** Name of the person, for another one who signs in on this phone. */
  personName?: string;
  /** Id of the order; its steps are sent one after another. */
  pedido: string;
  numero: string;
  /** Name of the step in Spanish: «Completar». */
  label: string;
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body: Record<string, unknown>;
  /** Content type of the file that is sent instead of `body`; its bytes stand in a store of their own. */
  file?: string;
  /** Key of the step that announces the file. */
  after?: string;
  /** When it happened on this phone: ISO 8601. */
  at: string;
  /** Version of the program that made it, or in which it last met a fault. */
  version: string;
  /** See states.ts. */
  state: 'pendiente' | 'aceptado' | 'rechazado';
  /** Time of acceptance, in milliseconds since 1970. */
  acceptedAt?: number;
  /** The server's sentence for a refusal or a fault. */
  reason: string | null;
  /** Typed and drawn content without photos, so that a refused form opens as it was left. */
  form?: Readonly<Record<string, string | null>>;
  /** The refusal's sentences by field of the form. */
  fields?: Readonly<Record<string, string>>;
  /** When the refusal came: ISO 8601. */
  refusedAt: string | null;
  /** True if the refusal came while the person waited for it in the form. */
  seen?: boolean;
  /** True once the person has read the refusal. */
  hidden?: boolean;
  /** True once the office has been told of the refusal. */
  reported: boolean;
  /** True if the office, told of the refusal, takes the files of the step all the same. */
  wanted?: boolean;
  /** Number of tries, those without an answer included. */
  tries: number;
  /** Tries that ended in a fault: an error of the server or of the program. */
  faults?: number;
  /** True once the office has been told of the fault. */
  faultReported?: boolean;
  /** Tries answered with `idempotency_unknown`. */
  unknowns?: number;
  /** Earliest time of the next try, in milliseconds since 1970. */
  next: number;
  /** Earliest time of the next report to the office, in milliseconds since 1970, and the reports that failed. */
  reportNext?: number;
  reports?: number;
};

/** Result of sending an operation. */
export type Outcome =
  /** Done by the server, now or before. */
  | { kind: 'accepted'; message: string }
  /** No answer of ours: no network, a proxy's page, a captive portal. */
  | { kind: 'silent' }
  /** Temporary refusal: the server is unavailable, does not know its first answer (`unknown`), or limits the rate (`limited`). */
  | { kind: 'busy'; unknown?: boolean; limited?: boolean }
  /** An error of the server or of this program. */
  | { kind: 'faulty'; reason: string }
  /** The server's no. */
  | { kind: 'refused'; reason: string; error: ApiError | undefined; fields?: Record<string, string> }
  /** The session has ended. */
  | { kind: 'signedOut' };

export const isFile = ({ file }: Pick<Operation, 'file'>): boolean => file !== undefined;

/** True for words about an order, which change nothing of it. */
export const isComment = ({ path }: Pick<Operation, 'path'>): boolean => path.endsWith('/comentarios');

/** True if the form can correct the refused operation. */
export const isCorrectable = ({ state, form, fields, hidden }: Operation): boolean =>
  state === 'rechazado' && !hidden && form !== undefined && fields !== undefined;

/** Rows of the program's earlier versions. */
type Stored = Omit<Operation, 'reported'> & { reported?: boolean; told?: boolean; bugs?: number };

/** Reads a row of any version of the program. */
export function operationOf({ told, bugs, ...row }: Stored): Operation {
  const faults = row.faults ?? bugs;
  const operation: Operation = { ...row, reported: row.reported ?? told ?? false, ...(faults !== undefined && { faults }) };
  // Earlier versions gave up after two faults, and told nobody.
  if (row.state !== 'rechazado' || row.reported !== undefined || (bugs ?? 0) < 2) return operation;
  return { ...operation, state: 'pendiente', refusedAt: null, reported: false, next: 0 };
}
