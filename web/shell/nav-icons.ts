import {
  IconAddressBook,
  IconBox,
  IconClipboardList,
  IconDownload,
  IconGauge,
  IconLayoutDashboard,
  IconPackages,
  IconPlus,
  IconReceiptEuro,
  IconSettings,
  IconShieldLock,
  IconTruckDelivery,
  IconTruckLoading,
  IconUsers,
} from '@tabler/icons-react';

/** Icons of the sitemap (`web/routes.ts`), which refers to them by name to keep the sign-in page small. */
export const NAV_ICON = {
  addressBook: IconAddressBook,
  box: IconBox,
  clipboardList: IconClipboardList,
  download: IconDownload,
  gauge: IconGauge,
  layoutDashboard: IconLayoutDashboard,
  packages: IconPackages,
  plus: IconPlus,
  receiptEuro: IconReceiptEuro,
  settings: IconSettings,
  shieldLock: IconShieldLock,
  truckDelivery: IconTruckDelivery,
  truckLoading: IconTruckLoading,
  users: IconUsers,
};
export type NavIcon = keyof typeof NAV_ICON;
