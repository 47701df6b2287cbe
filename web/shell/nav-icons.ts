import {
  IconBox,
  IconClipboardList,
  IconDownload,
  IconGauge,
  IconLayoutDashboard,
  IconPackages,
  IconPlus,
  IconSettings,
  IconShieldLock,
  IconTruckDelivery,
  IconTruckLoading,
  IconUsers,
} from '@tabler/icons-react';

/** The icons of the sitemap (`web/routes.ts`), which names them: nobody needs them to sign in. */
export const NAV_ICON = {
  box: IconBox,
  clipboardList: IconClipboardList,
  download: IconDownload,
  gauge: IconGauge,
  layoutDashboard: IconLayoutDashboard,
  packages: IconPackages,
  plus: IconPlus,
  settings: IconSettings,
  shieldLock: IconShieldLock,
  truckDelivery: IconTruckDelivery,
  truckLoading: IconTruckLoading,
  users: IconUsers,
};
export type NavIcon = keyof typeof NAV_ICON;
