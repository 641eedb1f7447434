export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** In angle brackets. The same for every attempt, so that a mail that arrives twice is shown once. */
  readonly messageId?: string;
  /** The message id of the conversation. */
  readonly references?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type SendMail = (mail: Mail) => Promise<void>;

/** A server that answers slowly enough for no other limit. Whether it has accepted the mail is unknown then. */
const MAX_MS = 120_000;

/** Mail through the operator's SMTP server. Without one, sending throws: callers check `settings.mail` first. */
export function createMail(smtpUrl: string | undefined, from: string): SendMail {
  if (!smtpUrl) {
    return () => Promise.reject(new Error('no mail server is configured (OCTAVO_SMTP_URL)'));
  }
  const options = { url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  return async ({ to, references, headers, ...mail }) => {
    const { createTransport } = await import('nodemailer');
    const sending = createTransport(options).sendMail({
      ...mail,
      from,
      // An object: a text is parsed, and may be several addresses.
      to: { name: '', address: to },
      ...(references === undefined ? {} : { references, inReplyTo: references }),
      ...(headers === undefined ? {} : { headers }),
    });
    await withLimit(sending);
  };
}

async function withLimit(sending: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the mail server took longer than ${MAX_MS} ms`)), MAX_MS);
  });
  try {
    await Promise.race([sending, limit]);
  } finally {
    clearTimeout(timer);
  }
}
