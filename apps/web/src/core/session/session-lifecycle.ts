import { hasLock } from './has-lock.ts';
import { watchInstall } from '../pwa/install.ts';
import { checkLock } from './lock-check.ts';
import { closeMessenger, openMessenger } from '../messenger/messenger.ts';
import { registerWorker } from '../pwa/register-worker.ts';
import { readRemembered, rememberAccount } from './remembered.ts';
import { warnNoUser } from '../lib/warn-no-user.ts';
import { readServiceSettings } from '../appwrite/service-settings.ts';
import { callStoreUser, fetchSession, fetchUser } from './session-call.ts';
import { clearPendingSignOut, loseSession } from './session-end.ts';
import { enterSession, sessionStore } from './session.ts';
import { wipeOthers } from './wipe.ts';

const heartbeatIntervalMs = 60_000;
/** Of the client's app-lock/unlocked-keys.ts. */
const lockChannel = 'dostar/app-lock';

/** The start of a page: is what this browser remembers still true? */
export async function checkSession(): Promise<void> {
  const remembered = readRemembered();
  const asked = fetchSession();
  // Before the server has answered, and without a network: nothing of the account may appear first.
  const isLocked = remembered !== undefined && (await checkLock(remembered.id)) === 'locked';
  if (isLocked) sessionStore.write({ status: 'locked', account: remembered });
  const answer = await asked;
  if (answer === 'expired' || answer === 'ended') await loseSession(answer);
  else if (answer !== 'unreachable') {
    const { account: id } = answer;
    // Also if it has been unlocked meanwhile.
    if (isLocked && remembered.id === id) return;
    enterSession(remembered?.id === id ? remembered : { id, username: undefined, name: undefined });
  } else if (isLocked) return;
  else if (remembered) sessionStore.write({ status: 'signed-in', account: remembered });
  else sessionStore.write({ status: 'signed-out' });
}

/** From the start of a session to its end: who this is, that they are here, and every minute that they still are. */
export function maintainSession(id: string): () => void {
  const stopped = new AbortController();
  let leaveLock: Promise<() => void> | undefined;

  async function sendHeartbeat(): Promise<void> {
    const answer = await callStoreUser(id);
    if ((answer === 'expired' || answer === 'ended') && !stopped.signal.aborted) await loseSession(answer);
  }

  async function loadUser(): Promise<void> {
    const user = await fetchUser(id);
    const session = sessionStore.read();
    if (typeof user === 'string') {
      if (user === 'unreachable') warnNoUser();
    } else if (session.status === 'signed-in' && session.account.id === id) {
      const account = { ...session.account, username: user.username };
      rememberAccount(account);
      sessionStore.write({ status: 'signed-in', account });
    }
  }

  /** A phone stops the clock of a page it does not show. */
  function handleVisible(): void {
    if (document.visibilityState === 'visible') void sendHeartbeat();
  }

  /** Also after signing in again to an account whose keys are locked here. */
  async function openUnlessLocked(): Promise<void> {
    const state = await checkLock(id);
    const session = sessionStore.read();
    if (stopped.signal.aborted || session.status !== 'signed-in') return;
    if (state === 'locked') return sessionStore.write({ status: 'locked', account: session.account });
    void openMessenger(id);
    startLockWatch();
    stopped.signal.addEventListener('abort', hasLock.subscribe(startLockWatch));
    watchLockInOtherTabs();
  }

  function startLockWatch(): void {
    if (hasLock.read()) leaveLock ??= import('./lock-watch.ts').then(({ watchLock }) => watchLock(id));
  }

  /** Without a lock nothing of it is loaded; another tab may set one. */
  function watchLockInOtherTabs(): void {
    const channel = new BroadcastChannel(lockChannel);
    channel.addEventListener('message', ({ data }: MessageEvent<{ t: string } | null>) => {
      if (data?.t === 'changed') void checkLock(id);
    });
    stopped.signal.addEventListener('abort', () => channel.close());
  }

  // Unfinished parts of a sign-out belong to the session before this one; those of another account are dropped.
  clearPendingSignOut();
  void wipeOthers(id);
  void openUnlessLocked();
  const leaveInstall = watchInstall();
  void registerWorker().then(async () => (await import('../notifications/push.ts')).renewPush());
  void sendHeartbeat();
  void loadUser();
  // Says at once where there will be no client of the service.
  readServiceSettings();
  const timer = setInterval(() => void sendHeartbeat(), heartbeatIntervalMs);
  document.addEventListener('visibilitychange', handleVisible, { signal: stopped.signal });
  window.addEventListener('online', () => void sendHeartbeat(), { signal: stopped.signal });
  return () => {
    stopped.abort();
    clearInterval(timer);
    leaveInstall();
    void leaveLock?.then((leave) => leave());
    // An open client would continue to read, and create its databases again after another tab removed them.
    void closeMessenger();
  };
}
