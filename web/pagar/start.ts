import { startPage } from './client.ts';

startPage();
