import type { Page } from '@playwright/test';
import { SUPERADMIN, signIn } from './fixtures.ts';

/* What the tests of «Gestión de Usuarios» do again and again. */

/** Signs in as the superadmin the first time, and goes to the tab of `rol`. */
export async function openUsers(page: Page, rol?: 'transportista' | 'superadmin') {
  if (!page.url().startsWith('http')) await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/gestion-usuarios${rol ? `?rol=${rol}` : ''}`);
}
export const dialog = (page: Page) => page.getByRole('dialog');
export const field = (page: Page, label: string) => dialog(page).getByLabel(new RegExp(`^${label}( \\*)?$`));
