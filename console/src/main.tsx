import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { startSession } from './api/session';
import { App } from './frame/app';
import { applyTheme } from './frame/theme';
import { watchLeaving } from './screens/asked-questions';
import { loadLanguage } from './texts/i18n';

applyTheme();
watchLeaving();
void startSession();
await loadLanguage();
createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
