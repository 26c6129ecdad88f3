// Whether the mail server answers, by the greeting and sign-in that a real mail begins with.

export type MailFinding = { server: boolean; ok: boolean; fault: string | null }

const within_ms = 5_000

export async function probeMail(smtp_url: string | undefined): Promise<MailFinding> {
  if (!smtp_url) return { server: false, ok: true, fault: null }
  const { createTransport } = await import('nodemailer')
  const limits = {
    connectionTimeout: within_ms,
    greetingTimeout: within_ms,
    socketTimeout: within_ms,
  }
  const transport = createTransport({ url: smtp_url, ...limits })
  try {
    await transport.verify()
    return { server: true, ok: true, fault: null }
  } catch (error) {
    // The code decides the sentence: the message may name logins.
    return {
      server: true,
      ok: false,
      fault: reasons[(error as { code?: string }).code ?? ''] ?? 'it refuses us',
    }
  } finally {
    transport.close()
  }
}

const reasons: Record<string, string> = {
  ECONNECTION: 'it can’t be reached',
  ESOCKET: 'it can’t be reached',
  ECONNREFUSED: 'it can’t be reached',
  EDNS: 'its name is not known',
  ETIMEDOUT: 'it does not answer in time',
  EAUTH: 'it does not accept our login',
  ETLS: 'its encryption fails',
}
