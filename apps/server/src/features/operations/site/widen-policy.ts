/** Where Firebase gives a browser its token, and where Google Analytics takes page views. */
const FIREBASE = [
  'https://firebaseinstallations.googleapis.com',
  'https://fcmregistrations.googleapis.com',
  'https://www.google-analytics.com',
].join(' ');

/** Pages may call Firebase only where the operator has configured it. */
export function widenPolicy(csp: string, hasFirebase: boolean): string {
  return hasFirebase ? csp.replace("connect-src 'self'", `connect-src 'self' ${FIREBASE}`) : csp;
}
