import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadFace } from './face.ts';
import { createAppRouter } from './router.tsx';

const root = document.getElementById('root');
if (root) {
  const router = createAppRouter();
  createRoot(root).render(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  );
  loadFace();
}
