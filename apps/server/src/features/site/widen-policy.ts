/** Where Firebase gives a browser its token, and nothing else of it. */
const FIREBASE = 'https://firebaseinstallations.googleapis.com https://fcmregistrations.googleapis.com';

/** Pages may call Firebase only where the operator has configured it. */
export function widenPolicy(csp: string, hasCloud: boolean): string {
  return hasCloud ? csp.replace("connect-src 'self'", `connect-src 'self' ${FIREBASE}`) : csp;
}
