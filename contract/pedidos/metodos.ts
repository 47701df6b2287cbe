export const METODOS_ENTREGA = ['correos', 'mrw', 'fedex', 'manual', 'otro'] as const;
export type MetodoEntrega = (typeof METODOS_ENTREGA)[number];
export const METODO_ENTREGA_LABEL: Record<MetodoEntrega, string> = {
  correos: 'Correos',
  mrw: 'MRW',
  fedex: 'FedEx',
  manual: 'Reparto propio',
  otro: 'Otro',
};

export const METODO_ENTREGA_OPTIONS = METODOS_ENTREGA.map((value) => ({ value, label: METODO_ENTREGA_LABEL[value] }));

/** Label of a carrier company; unknown codes are returned unchanged. */
export const companyLabel = (company: string): string => METODO_ENTREGA_OPTIONS.find(({ value }) => value === company)?.label ?? company;

/** Label of the company that carries an order; undefined if the shop delivers the order itself. */
export const firmLabel = (company?: string | null) => (company && company !== 'manual' ? companyLabel(company) : undefined);
