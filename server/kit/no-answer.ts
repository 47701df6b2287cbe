/** Thrown if a mail, push or other message could not be delivered to `host`. The error message is Spanish, without personal data. */
export class Undeliverable extends Error {
  readonly host: string | undefined;
  constructor(message: string, host?: string) {
    super(message);
    this.host = host;
  }
}

const SENTENCES: Record<string, string> = {
  ABORT_ERR: 'No ha respondido a tiempo',
  EAUTH: 'No acepta el usuario o la contraseña',
  ECONNREFUSED: 'No acepta la conexión',
  ECONNRESET: 'Ha cortado la conexión',
  EDNS: 'No existe ninguna dirección con ese nombre',
  ENOTFOUND: 'No existe ninguna dirección con ese nombre',
  EAI_AGAIN: 'No se ha podido averiguar la dirección de ese nombre',
  EHOSTUNREACH: 'No se puede llegar a esa dirección',
  ENETUNREACH: 'No se puede llegar a esa dirección',
  ETIMEDOUT: 'No ha respondido a tiempo',
  ETLS: 'No ofrece una conexión cifrada (STARTTLS)',
  TimeoutError: 'No ha respondido a tiempo',
  TypeError: 'No se entiende lo que ha respondido',
  UND_ERR_SOCKET: 'Ha cortado la conexión',
};

/** Returns why a host did not answer, in Spanish; our own errors keep their message. `fetch` fails with a TypeError. */
export function sentenceOfNoAnswer(error: unknown): string {
  const { code, name, message, cause, responseCode } = error as Thrown;
  // The mail library has the socket's error code only in the message.
  const inner = cause?.code ?? /\b(E[A-Z_]{4,})\b/.exec(message)?.[1];
  const found = [code, inner, name].find((cause) => cause !== undefined && cause in SENTENCES);
  if (found) return SENTENCES[found] as string;
  if (/CERT|SIGNATURE|TLS|SSL/.test(code ?? '')) return `Su certificado no vale (${code ?? 'sin código'})`;
  if (/certificate/i.test(message)) return 'Su certificado no vale';
  if (responseCode) return `Ha respondido ${responseCode}`;
  // Our own errors have EACCES or no code, and a Spanish sentence.
  return code && code !== 'EACCES' ? `No se ha podido enviar (${code})` : message;
}
type Thrown = { code?: string; name?: string; message: string; cause?: { code?: string }; responseCode?: number };
