import type { ComponentType } from 'react';
import { Loading } from '../ui/states';
import { onDemand } from '../ui/on-demand';

/** A screen with code of its own. */
const screen = <Props extends object>(load: () => Promise<{ readonly default: ComponentType<Props> }>) =>
  onDemand(
    load,
    <main className="body">
      <Loading />
    </main>,
  );

export const Documents = screen(() => import('../screens/documents'));
export const DocumentScreen = screen(() => import('../screens/document'));
export const Ask = screen(() => import('../screens/ask'));
export const Conversations = screen(() => import('../screens/conversations'));
export const SharedAnswer = screen(() => import('../screens/shared-answer'));
export const Search = screen(() => import('../screens/search'));
export const Account = screen(() => import('../screens/account'));
export const Keys = screen(() => import('../screens/keys'));
export const People = screen(() => import('../screens/people'));
export const Settings = screen(() => import('../screens/settings'));
export const Invitation = screen(() => import('../screens/invitation'));
export const Why = screen(() => import('../screens/why'));
export const Quality = screen(() => import('../screens/quality'));
export const Evaluation = screen(() => import('../screens/evaluation'));
