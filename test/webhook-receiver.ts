import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

type Body = { type: string; timestamp: string; data: Record<string, Record<string, unknown>> };
export type Received = { id: string; headers: Record<string, string>; text: string; body: Body };
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** A program that receives and stores webhooks. */
export async function openReceiver() {
  const received: Received[] = [];
  /** Status of the responses; `silence` sends none. */
  let answer: number | 'silence' = 204;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({ id: headers['webhook-id'] ?? '', headers, text, body: JSON.parse(text) });
    if (answer !== 'silence') response.writeHead(answer, { location: '/elsewhere' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    received,
    url: `http://127.0.0.1:${port}/avisos`,
    port,
    answers: (status: number | 'silence') => void (answer = status),
    /** Throws unless the message was signed with `secret`. */
    verify: (secret: string, { text, headers }: Received) => new Webhook(secret).verify(text, headers),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
