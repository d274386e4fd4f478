import { hasLock } from './has-lock.ts';
import { watchInstall } from '../pwa/install.ts';
import { checkLock } from './lock-check.ts';
import { closeMessenger, openMessenger } from '../messenger/messenger.ts';
import { registerWorker } from '../pwa/register-worker.ts';
import { readRemembered, rememberAccount } from './remembered.ts';
import { loadSettings } from '../lib/settings.ts';
import { warnNoUser } from '../lib/warn-no-user.ts';
import { readServiceSettings } from '../appwrite/service-settings.ts';
import { callStoreUser, fetchSession, fetchUser } from './session-call.ts';
import { clearPendingSignOut, loseSession } from './session-end.ts';
import { enterSession, sessionStore } from './session.ts';
import { wipeOthers } from './wipe.ts';

const heartbeatIntervalMs = 60_000;
/** The channel of the client's app-lock/unlocked-keys.ts. */
const lockChannel = 'dostar/app-lock';

/** Called when a page starts: checks whether the remembered session is still valid. */
export async function checkSession(): Promise<void> {
  const remembered = readRemembered();
  const asked = fetchSession();
  // Checked before the server has answered, and without a network: nothing of a locked account may appear.
  const isLocked = remembered !== undefined && (await checkLock(remembered.id)) === 'locked';
  if (isLocked) sessionStore.write({ status: 'locked', account: remembered });
  const answer = await asked;
  // Another tab has signed out meanwhile, perhaps without having told the server yet.
  if (!loadSettings().isSignedInHere) sessionStore.write({ status: 'signed-out' });
  else if (answer === 'expired' || answer === 'ended') await loseSession(answer);
  else if (answer !== 'unreachable') {
    const { account: id } = answer;
    // Also if the person has unlocked the app meanwhile.
    if (isLocked && remembered.id === id) return;
    enterSession(remembered?.id === id ? remembered : { id, username: undefined, name: undefined });
  } else if (isLocked) return;
  else if (remembered) sessionStore.write({ status: 'signed-in', account: remembered });
  else sessionStore.write({ status: 'signed-out' });
}

/** Runs during a session: loads the user, registers the worker, and sends a heartbeat every minute. */
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

  /** A phone stops the timers of a hidden page. */
  function handleVisible(): void {
    if (document.visibilityState === 'visible') void sendHeartbeat();
  }

  /** Locks the session instead if the app lock locks this account's keys, for example after signing in again. */
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

  /** Notices a lock that another tab sets; without a lock none of its code is loaded. */
  function watchLockInOtherTabs(): void {
    const channel = new BroadcastChannel(lockChannel);
    channel.addEventListener('message', ({ data }: MessageEvent<{ t: string } | null>) => {
      if (data?.t === 'changed') void checkLock(id);
    });
    stopped.signal.addEventListener('abort', () => channel.close());
  }

  // An unfinished sign-out belongs to a former session; `wipeOthers` deletes the data of other accounts.
  clearPendingSignOut();
  void wipeOthers(id);
  void openUnlessLocked();
  const leaveInstall = watchInstall();
  void registerWorker().then(async () => (await import('../notifications/push.ts')).renewPush());
  void sendHeartbeat();
  void loadUser();
  // Warns in the console now if the service is not configured.
  readServiceSettings();
  const timer = setInterval(() => void sendHeartbeat(), heartbeatIntervalMs);
  document.addEventListener('visibilitychange', handleVisible, { signal: stopped.signal });
  window.addEventListener('online', () => void sendHeartbeat(), { signal: stopped.signal });
  return () => {
    stopped.abort();
    clearInterval(timer);
    leaveInstall();
    void leaveLock?.then((leave) => leave());
    // An open client would continue to read, and create its databases again after another tab deleted them.
    void closeMessenger();
  };
}
