type Row = { id?: unknown };

/** Rows of a list without pages that the query's `ids` name; any other answer as it is. */
export function chosen<A>(answer: A, query: unknown): A {
  const { ids } = (query ?? {}) as { ids?: readonly string[] };
  if (!ids || !isWholeList(answer)) return answer;
  return { ...answer, data: answer.data.filter(({ id }) => ids.includes(String(id))) };
}

// A page has chosen its rows in SQL, where they are counted too.
const isWholeList = (answer: unknown): answer is { data: Row[] } =>
  typeof answer === 'object' && answer !== null && 'data' in answer && Array.isArray(answer.data) && !('current_page' in answer);
