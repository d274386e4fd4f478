import { connect } from 'node:tls';
import type { PeerCertificate } from 'node:tls';

const TIMEOUT_MS = 15_000;

export interface PresentedCertificate {
  certificate: PeerCertificate;
  /** Why this machine does not trust the issuer; undefined if it does. */
  distrust: string | undefined;
}

/** The certificate that this address presents, valid or not. */
export function readCertificate(host: string, port: number): Promise<PresentedCertificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false }, () => {
      const distrust = socket.authorized ? undefined : String(socket.authorizationError);
      resolve({ certificate: socket.getPeerCertificate(), distrust });
      socket.destroy();
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
    socket.on('error', reject);
  });
}

/** When the certificate of this address expires. Does not check whether to trust it. */
export async function readCertificateEnd(host: string, port: number): Promise<number> {
  const { certificate } = await readCertificate(host, port);
  return Date.parse(certificate.valid_to);
}
