export const METODOS_ENTREGA = ['correos', 'mrw', 'fedex', 'manual', 'otro'] as const;
export type MetodoEntrega = (typeof METODOS_ENTREGA)[number];
export const METODO_ENTREGA_LABEL: Record<MetodoEntrega, string> = {
  correos: 'Correos',
  mrw: 'MRW',
  fedex: 'FedEx',
  manual: 'Entrega manual',
  otro: 'Otro',
};

export const METODO_ENTREGA_OPTIONS = METODOS_ENTREGA.map((value) => ({ value, label: METODO_ENTREGA_LABEL[value] }));

/** Label of a carrier company; unknown codes are returned unchanged. */
export function companyLabel(company: string): string {
  const known = METODOS_ENTREGA.find((code) => code === company);
  return known ? METODO_ENTREGA_LABEL[known] : company;
}
