import { watchInstall } from './install.ts';
import { closeMessenger, openMessenger } from './messenger.ts';
import { registerWorker } from './register-worker.ts';
import { readRemembered, rememberAccount } from './remembered.ts';
import { sayNoUser } from './say-no-user.ts';
import { readServiceSettings } from './service-settings.ts';
import { callStoreUser, fetchSession, fetchUser } from './session-call.ts';
import { forgiveDebts, loseSession } from './session-end.ts';
import { enterSession, sessionStore } from './session.ts';
import { wipeOthers } from './wipe.ts';

const beatEvery = 60_000;

/** The start of a page: is what this browser remembers still true? */
export async function checkSession(): Promise<void> {
  const answer = await fetchSession();
  const remembered = readRemembered();
  if (answer === 'expired' || answer === 'ended') await loseSession(answer);
  else if (answer !== 'unreachable') {
    const { account: id } = answer;
    enterSession(remembered?.id === id ? remembered : { id, username: undefined, name: undefined });
  } else if (remembered) sessionStore.write({ status: 'signed-in', account: remembered });
  else sessionStore.write({ status: 'signed-out' });
}

/** From the start of a session to its end: who this is, that they are here, and every minute that they still are. */
export function keepSession(id: string): () => void {
  const stopped = new AbortController();

  async function beat(): Promise<void> {
    const answer = await callStoreUser(id);
    if ((answer === 'expired' || answer === 'ended') && !stopped.signal.aborted) await loseSession(answer);
  }

  async function loadUser(): Promise<void> {
    const user = await fetchUser(id);
    const session = sessionStore.read();
    if (typeof user === 'string') {
      if (user === 'unreachable') sayNoUser();
    } else if (session.status === 'signed-in' && session.account.id === id) {
      const account = { ...session.account, username: user.username };
      rememberAccount(account);
      sessionStore.write({ status: 'signed-in', account });
    }
  }

  /** A phone stops the clock of a page it does not show. */
  function handleVisible(): void {
    if (document.visibilityState === 'visible') void beat();
  }

  // What a sign-out owed was of the session before this one; what somebody else left waited for them in vain.
  forgiveDebts();
  void wipeOthers(id);
  void openMessenger(id);
  const leaveInstall = watchInstall();
  void registerWorker().then(async () => (await import('./push.ts')).keepPush());
  void beat();
  void loadUser();
  // Says at once where there will be no client of the service.
  readServiceSettings();
  const timer = setInterval(() => void beat(), beatEvery);
  document.addEventListener('visibilitychange', handleVisible, { signal: stopped.signal });
  window.addEventListener('online', () => void beat(), { signal: stopped.signal });
  return () => {
    stopped.abort();
    clearInterval(timer);
    leaveInstall();
    // Mail left open would go on reading for nobody, and make its databases anew after another tab removed them.
    void closeMessenger();
  };
}
