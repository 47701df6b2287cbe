import { sendPrueba, type TipoPrueba } from '../../../contract/entrega.ts';
import { ApiError, call } from '../../api.ts';
import { draftName } from '../../drafts.ts';
import { toast } from '../../ui/page/toast.tsx';

/* Files of deliveries that have yet to be sent: plain calls with a key each, kept until the server has them. */

type Kept = { pedido: string; tipo: TipoPrueba; key: string; data: string };
export type ProofFile = { tipo: TipoPrueba; sha256: string; blob: Blob };

const AGAIN_MS = 30_000;
const nameOf = (owner: string) => draftName(owner, '-pruebas');

// Storage may be blocked or full; then only a killed tab loses what is here.
const memory = new Map<string, Kept[]>();

function read(owner: string): Kept[] {
  try {
    return memory.get(owner) ?? (JSON.parse(sessionStorage.getItem(nameOf(owner)) ?? '[]') as Kept[]);
  } catch {
    return [];
  }
}

function write(owner: string, kept: Kept[]): void {
  memory.set(owner, kept);
  try {
    if (kept.length) sessionStorage.setItem(nameOf(owner), JSON.stringify(kept));
    else sessionStorage.removeItem(nameOf(owner));
  } catch {
    // In `memory`.
  }
}

const dataOf = (blob: Blob) =>
  new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(blob);
  });

const blobOf = async (data: string): Promise<Blob> => {
  const [head = '', body = ''] = data.split(',');
  return new Blob([Uint8Array.from(atob(body), (char) => char.charCodeAt(0))], { type: /data:([^;]+)/.exec(head)?.[1] ?? '' });
};

/** Keeps the files of a delivery before its step is sent, in place of those of a former try. */
export async function keepToSend(owner: string, pedido: string, files: readonly ProofFile[]): Promise<void> {
  const kept = await Promise.all(
    files.map(async ({ tipo, sha256, blob }) => ({
      pedido,
      tipo,
      key: `prueba-${pedido}-${sha256.slice(0, 32)}`,
      data: await dataOf(blob),
    })),
  );
  write(owner, [...read(owner).filter((one) => one.pedido !== pedido), ...kept]);
}

const isAnswer = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

let running: Promise<void> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends the kept files, one after another; one that the server refuses is told and dropped, others are sent again later. */
export function sendKept(owner: string): Promise<void> {
  clearTimeout(timer);
  running ??= sendAll(owner).finally(() => {
    running = undefined;
    if (read(owner).length) timer = setTimeout(() => void sendKept(owner), AGAIN_MS);
  });
  return running;
}

async function sendAll(owner: string): Promise<void> {
  for (const one of read(owner)) {
    try {
      await call(sendPrueba, { params: { id: one.pedido }, file: await blobOf(one.data), headers: { 'idempotency-key': one.key } });
    } catch (error) {
      if (!isAnswer(error)) {
        toast.error('La prueba de entrega no se ha podido enviar: se volverá a intentar');
        return;
      }
      // Signed out: sent after signing in again.
      if (error.status === 401 || error.status === 419) return;
      toast.failure(error, 'No se pudo enviar la prueba de entrega');
    }
    write(
      owner,
      read(owner).filter(({ key }) => key !== one.key),
    );
  }
}
