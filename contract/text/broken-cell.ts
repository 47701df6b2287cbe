const ERROR =
  /^(?:#{2,}|#¡?(?:n\/?[ad]|ref!?|valor!?|value!?|¿?nombre\??|name\??|div\/0!?|num!?|nulo!?|null!?|calc!?|spill!?|desbordamiento!?|campo!?|field!?|error!?|bloqueado!?|blocked!?|conectar!?)|err:\d{3})$/i;

/** True for text that a spreadsheet shows instead of a value: an error, or the «####» of a narrow column. */
export const isErrorCell = (text: string): boolean => ERROR.test(text.trim());

/** True for an error cell, or a tracking number that a spreadsheet has rounded to scientific notation. */
export const isBrokenCell = (text: string): boolean => isErrorCell(text) || /^\d[.,]\d+e\+?\d+$/i.test(text.trim());
