import {
  IconAddressBook,
  IconBox,
  IconCash,
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
import type { NavIcon } from '../routes.ts';

/** Icons of the sitemap. */
export const NAV_ICON: Record<NavIcon, typeof IconBox> = {
  addressBook: IconAddressBook,
  box: IconBox,
  cash: IconCash,
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
