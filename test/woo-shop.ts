import { createServer } from 'node:http';

type Order = Record<string, unknown> & {
  id: number;
  status: string;
  meta_data: { key: string; value: string }[];
  refunds: Record<string, unknown>[];
};
type Call = { method: string; path: string; query: Record<string, string>; body: Record<string, unknown> };
export type WooShop = Awaited<ReturnType<typeof openWooShop>>;

/** A shop of WooCommerce as its REST API shows it: orders, notes, refunds, webhooks and products. */
export async function openWooShop() {
  const orders = new Map<number, Order>();
  const notes: string[] = [];
  const calls: Call[] = [];
  const products: object[] = [];
  let hooks: { id: number; status: string; delivery_url: string }[] = [];
  let broken = 0;
  let repeating = false;
  let refusing = '';
  let odd: [number, string] | undefined;
  const answer = (method: string, url: URL, body: Record<string, unknown>): [number, unknown] => {
    const [, kind, id, part] = /wc\/v3\/(\w+)(?:\/(\d+))?(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    if (kind === 'webhooks' && id) {
      hooks = hooks.map((hook) => (hook.id === Number(id) ? { ...hook, ...body } : hook));
      return [200, {}];
    }
    const page = (list: readonly unknown[]): [number, unknown[]] => {
      const [number, size] = [repeating ? 1 : Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('per_page') ?? 10)];
      return [200, list.slice((number - 1) * size, number * size)];
    };
    if (kind === 'webhooks') return page(hooks);
    if (kind === 'products') return page(part ? [] : products);
    if (kind === 'orders' && !id) {
      const asked = (name: string) => url.searchParams.get(name);
      const isBin = (status: string) => (status === 'trash') === (asked('status') === 'trash');
      const found = [...orders.values()].filter(
        ({ id: each, status, date_modified_gmt }) =>
          isBin(status) &&
          String(date_modified_gmt) > (asked('modified_after') ?? '') &&
          (asked('include')?.split(',').includes(`${each}`) ?? true),
      );
      return page(found);
    }
    const order = orders.get(Number(id));
    if (!order) return [404, { code: 'woocommerce_rest_shop_order_invalid_id' }];
    if (part === 'notes') notes.push(String(body.note));
    else if (part === 'refunds' && method === 'GET') return page(order.refunds);
    else if (part === 'refunds') {
      if (refusing) return [400, { message: refusing }];
      order.refunds.push({ id: 900 + order.refunds.length, total: `-${body.amount}` });
      return [201, order.refunds.at(-1)];
    } else if (method === 'PUT') {
      const { meta_data = [], ...rest } = body as { meta_data?: Order['meta_data'] };
      const kept = order.meta_data.filter(({ key }) => !meta_data.some((meta) => meta.key === key));
      Object.assign(order, rest, { meta_data: [...kept, ...meta_data] });
    }
    return [200, order];
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const url = new URL(request.url ?? '', 'http://shop');
    const method = request.method ?? '';
    calls.push({ method, path: url.pathname.replace('/wp-json/wc/v3/', ''), query: Object.fromEntries(url.searchParams), body });
    const [status, content] = broken ? [broken, {}] : answer(method, url, body);
    response.writeHead(odd?.[0] ?? status, { 'content-type': 'application/json' }).end(odd?.[1] ?? JSON.stringify(content));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    orders,
    notes,
    calls,
    products,
    hooks: (list: typeof hooks) => void (hooks = list),
    hooksNow: () => hooks,
    /** Answers every page of a list with the first one. */
    repeats: (on: boolean) => void (repeating = on),
    /** Answers everything with this status and text. */
    says: (status: number, text: string) => void (odd = [status, text]),
    /** Refuses refunds with this sentence. */
    refuses: (sentence: string) => void (refusing = sentence),
    /** Answers everything with this status; 0 works again. */
    breaks: (status: number) => void (broken = status),
    put: (order: Record<string, unknown>) =>
      void orders.set(Number(order.id), { meta_data: [], refunds: [], ...order } as unknown as Order),
    clear: () => {
      orders.clear();
      for (const list of [notes, calls, products]) list.length = 0;
      hooks = [];
      [broken, repeating, refusing, odd] = [0, false, '', undefined];
    },
    remove: (id: number) => void orders.delete(id),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
