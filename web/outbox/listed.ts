import { listComentarios } from '../../contract/comentarios/comentarios.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { getRuta, guardarRuta } from '../../contract/ruta/ruta.ts';
import { queryClient } from '../api.ts';
import { isComment, type Operation } from './operation.ts';

/** Returns the path of the list whose next reading contains the effect of an operation. */
function listOf(operation: Operation): string {
  if (operation.path === guardarRuta.path) return getRuta.path;
  return (isComment(operation) ? listComentarios : listPedidos).path;
}

/** Watches which lists are read. `isListed` returns true if the list that shows an accepted operation was read after its acceptance. */
export function watchLists(onRead: () => void) {
  // `began`: start of the current reading, by query hash. `listed`: start of the last successful reading, by path of the list.
  const began = new Map<string, number>();
  const listed = new Map<string, number>();
  const stop = queryClient.getQueryCache().subscribe((event) => {
    const { queryHash, queryKey } = event.query;
    if (event.type !== 'updated') return;
    if (event.action.type === 'fetch') began.set(queryHash, Date.now());
    // Ignores data set manually, which comes from this phone.
    if (event.action.type !== 'success' || event.action.manual) return;
    listed.set(String(queryKey[0]), began.get(queryHash) ?? 0);
    onRead();
  });
  return {
    isListed: (one: Operation): boolean => one.state === 'aceptado' && (listed.get(listOf(one)) ?? 0) >= (one.acceptedAt ?? 0),
    stop,
  };
}
