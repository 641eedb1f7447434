export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

/** Mail through the operator's SMTP server. Without one, sending throws: callers check `settings.mail` first. */
export function createMail(smtpUrl: string | undefined, from: string): SendMail {
  if (!smtpUrl) {
    return () => Promise.reject(new Error('no mail server is configured (OCTAVO_SMTP_URL)'));
  }
  const options = { url: smtpUrl, connectionTimeout: 10_000, socketTimeout: 30_000 };
  return async (mail) => {
    const { createTransport } = await import('nodemailer');
    await createTransport(options).sendMail({ ...mail, from });
  };
}
