import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

type Asked = { path: string; headers: IncomingHttpHeaders; form: Record<string, string> };

/** Stands in for api.stripe.com: records requests and responds with a Checkout Session or with `status`. */
export async function startStripeSimulator() {
  const asked: Asked[] = [];
  /** `session` is merged into each response; a retrieved session is open by default. */
  const says = { status: 200, session: {} as object };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ path: request.url ?? '', headers: request.headers, form: Object.fromEntries(new URLSearchParams(body)) });
    const answer =
      says.status === 200
        ? {
            id: `cs_test_${asked.length}`,
            object: 'checkout.session',
            url: `https://checkout.stripe.test/c/${asked.length}`,
            status: 'open',
            payment_status: 'unpaid',
            ...says.session,
          }
        : { error: { type: 'api_error', message: 'Something that only an operator understands' } };
    response.writeHead(says.status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    says,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}
