import { useEffect, useMemo, useState } from 'react';
import type { Pack } from '../../../contract/products/products.ts';
import { loadProvinces, type Provinces } from '../cliente/poblaciones.ts';
import { checkerOf, unknownPacks } from './check.ts';
import type { Import } from './draft.ts';
import { grouperOf } from './groups.ts';
import { prefixesOf } from './place.ts';
import type { Row } from './row.ts';
import type { Columns } from './target.ts';

const NO_ROWS: readonly Row[] = [];
const NO_COLUMNS: Columns = [];

/** Groups the rows of an import into orders and checks them; unchanged orders are not checked again. */
export function useOrders(state: Import | undefined, packs: readonly Pack[]) {
  const { titles = null, columns = NO_COLUMNS, rows = NO_ROWS, juntar = false, chosen } = state ?? {};
  const byCustomer = useMemo(() => grouperOf({ titles, columns, juntar: true }), [titles, columns]);
  const group = useMemo(() => (juntar ? byCustomer : grouperOf({ titles, columns, juntar })), [byCustomer, titles, columns, juntar]);
  const { provinces, loading } = useProvinces(rows, columns);
  const check = useMemo(() => checkerOf({ columns, packs, chosen: chosen ?? {}, provinces }), [columns, packs, chosen, provinces]);
  const orders = useMemo(() => group(rows).map(check), [rows, group, check]);
  const checked = useMemo(() => orders.flat(), [orders]);
  const unknown = useMemo(() => unknownPacks(checked, packs), [checked, packs]);
  /** Customers with several rows, in a sheet without order numbers. */
  const customers = useMemo(
    () => (columns.includes('pedido') ? [] : byCustomer(rows).filter((each) => each.rows.length > 1)),
    [columns, byCustomer, rows],
  );
  return { group, orders, checked, unknown, customers, loading };
}

/** Towns of the provinces in the sheet. `loading` until all of them have come or failed. */
function useProvinces(rows: readonly Row[], columns: Columns): { provinces: Provinces; loading: boolean } {
  const prefixesIn = useMemo(() => prefixesOf(columns), [columns]);
  const wanted = useMemo(() => prefixesIn(rows).join(' '), [prefixesIn, rows]);
  const [found, setFound] = useState<{ wanted: string; provinces: Provinces }>({ wanted: '', provinces: new Map() });
  useEffect(() => {
    let latest = true;
    if (wanted) void loadProvinces(wanted.split(' ')).then((provinces) => latest && setFound({ wanted, provinces }));
    return () => {
      latest = false;
    };
  }, [wanted]);
  return { provinces: found.provinces, loading: wanted !== found.wanted && wanted !== '' };
}
