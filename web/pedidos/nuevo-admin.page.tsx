export default function NuevoAdminPage() {
  return null;
}
