import { createServer, type Socket } from 'node:net';
import { refuseWrongText } from './wrong-texts.ts';

export type Letter = { from: string; to: string; subject: string; messageId: string; automatic: string; body: string };
export type Letterbox = Awaited<ReturnType<typeof openLetterbox>>;

/** An SMTP server (RFC 5321, without TLS) that stores received mails; with `account`, clients must sign in (RFC 4954). */
export async function openLetterbox(account?: { user: string; pass: string }) {
  const letters: Letter[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setEncoding('utf8').on('close', () => sockets.delete(socket));
    let [buffer, from, to, data, known] = ['', '', '', false, false];
    socket.write('220 letterbox\r\n');
    socket.on('data', (chunk) => {
      buffer += chunk;
      for (;;) {
        const end = buffer.indexOf(data ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const line = buffer.slice(0, end);
        commands.push(line);
        buffer = buffer.slice(end + (data ? 5 : 2));
        if (data) {
          letters.push(read(from, to, line));
          data = false;
          socket.write('250 kept\r\n');
        } else if (account && /^EHLO/i.test(line)) {
          socket.write('250-letterbox\r\n250 AUTH PLAIN\r\n');
        } else if (account && /^AUTH PLAIN /i.test(line)) {
          const credentials = Buffer.from(line.slice(11), 'base64').toString();
          known = credentials === `\0${account.user}\0${account.pass}`;
          socket.write(known ? '235 welcome\r\n' : '535 who are you\r\n');
        } else if (account && !known && /^MAIL/i.test(line)) {
          socket.write('530 sign in first\r\n');
        } else if (/^STARTTLS/i.test(line)) {
          socket.write('502 not here\r\n');
        } else if (/^MAIL FROM:/i.test(line)) {
          from = /<(.*?)>/.exec(line)?.[1] ?? '';
          socket.write('250 ok\r\n');
        } else if (/^RCPT TO:/i.test(line)) {
          to = /<(.*?)>/.exec(line)?.[1] ?? '';
          socket.write('250 ok\r\n');
        } else if (/^DATA/i.test(line)) {
          data = true;
          socket.write('354 go on\r\n');
        } else if (/^QUIT/i.test(line)) {
          socket.end('221 bye\r\n');
        } else {
          socket.write('250 letterbox\r\n');
        }
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    letters,
    /** All lines received from clients. */
    commands,
    port: (server.address() as { port: number }).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function read(from: string, to: string, raw: string): Letter {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const parts = [...raw.matchAll(/Content-Transfer-Encoding: (\S+)\r\n\r\n([\s\S]*?)\r\n--/gi)].map(([, encoding = '', text = '']) =>
    decode(encoding, text),
  );
  const subject = decodeWord(header('Subject'));
  refuseWrongText(`${subject}\n${parts.join('\n')}`, `A mail to ${to}`);
  return {
    from,
    to,
    subject,
    messageId: header('Message-ID'),
    automatic: header('Auto-Submitted'),
    body: parts.join('\n'),
  };
}

function decode(encoding: string, text: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(text, 'base64').toString('utf8');
  if (/quoted-printable/i.test(encoding)) return quoted(text.replace(/=\r\n/g, ''));
  return text;
}

const quoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

// Decodes the encoded words of RFC 2047.
const decodeWord = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      /q/i.test(kind) ? quoted(word.replace(/_/g, ' ')) : Buffer.from(word, 'base64').toString('utf8'),
    );
