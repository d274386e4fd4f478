/** A real SMTP server that answers each email as the test says, then accepts all others. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** `hang up`: receives the whole email and closes the connection before it answers, which is the worst moment. */
export type SmtpAnswer = 'accept' | 'defer' | 'refuse' | 'hang up';

interface ReceivedEmail {
  to: string[];
  /** The email as received, with its encodings. */
  raw: string;
  messageId: string;
}

export interface SmtpPeer extends AsyncDisposable {
  url: string;
  /** Accepted emails. */
  emails: ReceivedEmail[];
  /** How often a client named a recipient. */
  tries: number;
  /** Called before it accepts an email. */
  beforeAccepting: (email: ReceivedEmail) => void;
}

export async function startSmtpPeer(answers: SmtpAnswer[] = []): Promise<SmtpPeer> {
  const left = [...answers];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 100,
    onRcptTo(_address, _session, done) {
      peer.tries += 1;
      if (left[0] === 'defer') return done(replyWith(left.shift(), 451, 'try later, aigerim@example.org is busy'));
      if (left[0] === 'refuse') return done(replyWith(left.shift(), 550, 'no such user aigerim@example.org'));
      return done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const email = { to, raw, messageId: /^Message-ID: (\S+)/im.exec(raw)?.[1] ?? '' };
        if (left.shift() === 'hang up') {
          for (const connection of server.connections) connection.close();
          return;
        }
        peer.beforeAccepting(email);
        peer.emails.push(email);
        done();
      });
    },
  });
  // Some tests break the connection on purpose.
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const peer: SmtpPeer = {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    emails: [],
    tries: 0,
    beforeAccepting() {},
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(resolve)),
  };
  return peer;
}

function replyWith(_answer: SmtpAnswer | undefined, responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
