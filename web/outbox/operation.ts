import type { Estado } from '../../contract/pedidos/estados.ts';
import type { ApiError } from '../api.ts';

/* Stored operations of carriers. Separate from the store, so that first screens need not load the store. */

/** A call of a carrier: a step, comment or load of an order, the day's route, or a file of a step. */
export type Operation = {
  /** Id, which is also the idempotency key of a step (see `keyOf` in send.ts). */
  id: string;
  /** Sequence number, assigned by the store. */
  seq?: number;
  /** Id of the person, who alone sees and sends the operation. */
  person: string;
  /** Name of the person, shown to another person who signs in on this phone. */
  personName?: string;
  /** Id of the order. Steps of an order are sent one after another. */
  pedido: string;
  numero: string;
  /** Spanish name of the step, for example «Completar». */
  label: string;
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body: Record<string, unknown>;
  /** Estado that the order goes back to, if the step takes one back and this phone knows. */
  back?: Estado;
  /** Content type of the file that is sent instead of `body`. The bytes of the file are in a separate object store. */
  file?: string;
  /** Id of the step that announces the file. */
  after?: string;
  /** Time of the step by this phone's clock (ISO 8601). */
  at: string;
  /** Version of the program that created the operation, or that met its last fault. */
  version: string;
  /** See states.ts. */
  state: 'pendiente' | 'aceptado' | 'rechazado';
  /** Time of acceptance, in milliseconds since 1970. */
  acceptedAt?: number;
  /** The server's sentence for a refusal or a fault. */
  reason: string | null;
  /** Content of the form without photos, so that a refused step can be reopened as it was left. */
  form?: Readonly<Record<string, string | null>>;
  /** Messages of the refusal, by field of the form. */
  fields?: Readonly<Record<string, string>>;
  /** Time of the refusal (ISO 8601). */
  refusedAt: string | null;
  /** True if the person was waiting in the form when the refusal arrived. */
  seen?: boolean;
  /** True once the person has read the refusal. */
  hidden?: boolean;
  /** True once the refusal has been reported to the office. */
  reported: boolean;
  /** True if the office wants the files of the step despite the refusal. */
  wanted?: boolean;
  /** Number of tries, including tries without a response. */
  tries: number;
  /** True if a try may have reached the server: the browser had a network. */
  left?: boolean;
  /** Number of tries that ended in an error of the server or of the program. */
  faults?: number;
  /** True once the fault has been reported to the office. */
  faultReported?: boolean;
  /** Number of tries answered with `idempotency_unknown`. */
  unknowns?: number;
  /** Earliest time of the next try, in milliseconds since 1970. */
  next: number;
  /** Earliest time of the next report to the office, in milliseconds since 1970. */
  reportNext?: number;
  reports?: number;
};

/** Result of sending an operation. */
export type Outcome =
  /** The server has done the operation, now or in an earlier try. */
  | { kind: 'accepted'; message: string }
  /** No response of our server: no network, a proxy's error page, a captive portal. */
  | { kind: 'silent' }
  /** Temporary refusal: server unavailable, response of the first try unknown (`unknown`), or rate limit (`limited`). */
  | { kind: 'busy'; unknown?: boolean; limited?: boolean }
  /** An error of the server or of this program. */
  | { kind: 'faulty'; reason: string }
  /** The server refused the operation for good. */
  | { kind: 'refused'; reason: string; error: ApiError | undefined; fields?: Record<string, string> }
  /** The session has ended. */
  | { kind: 'signedOut' };

export const isFile = ({ file }: Pick<Operation, 'file'>): boolean => file !== undefined;

/** True for a comment, which does not change the order. */
export const isComment = ({ path }: Pick<Operation, 'path'>): boolean => path.endsWith('/comentarios');

/** True if the form can correct the refused operation. */
export const isCorrectable = ({ state, form, fields, hidden }: Operation): boolean =>
  state === 'rechazado' && !hidden && form !== undefined && fields !== undefined;

/** Row as stored by any version of the program. */
type Stored = Omit<Operation, 'reported'> & { reported?: boolean; told?: boolean; bugs?: number };

/** Converts a row stored by any version of the program. */
export function readOperation({ told, bugs, ...row }: Stored): Operation {
  const faults = row.faults ?? bugs;
  const operation: Operation = { ...row, reported: row.reported ?? told ?? false, ...(faults !== undefined && { faults }) };
  // Retries operations that earlier versions gave up after two faults.
  if (row.state !== 'rechazado' || row.reported !== undefined || (bugs ?? 0) < 2) return operation;
  return { ...operation, state: 'pendiente', refusedAt: null, reported: false, next: 0 };
}
