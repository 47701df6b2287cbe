export default function PedidosPage() {
  return null;
}
