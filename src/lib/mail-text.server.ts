// The one layout of all mails: text and HTML, light and dark.
import type { Mail } from './mail.server.ts'

type LabelledLink = { label: string; address: string }

export type MailText = {
  subject: string
  /** The company for which Healthfund writes. */
  company?: string
  /** Why this mail came, what to do, what if it was not you. */
  paragraphs: string[]
  /** Several things told in one mail. */
  items?: (LabelledLink & { title: string; text: string })[]
  code?: string
  link?: LabelledLink
  end?: string
  /** Why one gets it and how to get no more. */
  foot?: { text: string; links: LabelledLink[] }
}

const senderOf = (company: string | undefined) =>
  company ? `Healthfund for ${company}` : 'Healthfund'

/** The code stands before the link, so that somebody who looks for digits finds the right ones. */
export function write(to: string, mail: MailText, headers?: Record<string, string>): Mail {
  const { subject, company, paragraphs, items = [], code, link, end, foot } = mail
  const named = ({ label, address }: LabelledLink) => `${label}:\n${address}`
  const text = [
    ...paragraphs,
    ...items.map((item) => `${item.title}\n${item.text}\n${item.address}`),
    code && `Your code: ${code}`,
    link && named(link),
    end,
    senderOf(company),
    foot && ['--', foot.text, ...foot.links.map(named)].join('\n'),
  ]
  return {
    to,
    subject,
    text: text.filter(Boolean).join('\n\n'),
    html: toHtml(mail),
    ...(headers ? { headers } : {}),
  }
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

/** Inline, since some programs drop style sheets; the classes are for the dark. */
const styles = {
  page: 'margin:0;padding:0;background:#f3f6f5;color:#1b2a2a',
  sheet:
    'width:100%;max-width:34rem;background:#ffffff;border:1px solid #dfe7e5;border-radius:12px',
  brand: 'margin:0 0 24px;font-size:15px;font-weight:bold;color:#0f5c5c',
  title: 'margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:bold',
  text: 'margin:0 0 16px',
  soft: 'margin:0 0 16px;color:#5a6b6b;font-size:14px',
  code: 'margin:0 0 16px;font-size:28px;letter-spacing:5px;font-weight:bold',
  item: 'margin:0;padding:14px 0;border-top:1px solid #dfe7e5',
  about: 'margin:0 0 4px;font-weight:bold',
  item_text: 'margin:0 0 6px',
  foot: 'margin:0;padding:20px 8px;max-width:34rem;color:#5a6b6b;font-size:12px;line-height:1.5',
}
const anchor = 'color:#0f5c5c;font-weight:bold;text-decoration:underline'
const button = [
  'display:inline-block;background:#0f5c5c;color:#ffffff;text-decoration:none;font-weight:bold',
  'padding:12px 20px;border-radius:8px',
].join(';')
const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif;font-size:16px'

const dark = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (prefers-color-scheme:dark){',
  '.page{background:#0f1615!important;color:#e7efed!important}',
  '.sheet{background:#17211f!important;border-color:#2b3a38!important}',
  '.brand,.anchor{color:#7bd3c8!important}',
  '.soft,.foot{color:#a2b3af!important}',
  '.item{border-color:#2b3a38!important}',
  '.button{background:#7bd3c8!important;color:#08211e!important}',
  '}',
].join('')

const element = (name: 'p' | 'h1', style: keyof typeof styles, text: string) =>
  `<${name} class="${style}" style="${styles[style]}">${escape(text)}</${name}>`

const linkTo = ({ label, address }: LabelledLink, style: 'anchor' | 'button') =>
  `<a class="${style}" href="${escape(address)}" style="${style === 'anchor' ? anchor : button}">` +
  `${escape(label)}</a>`

function toHtml({
  subject,
  company,
  paragraphs,
  items = [],
  code,
  link,
  end,
  foot,
}: MailText): string {
  const first = paragraphs[0] ?? items[0]?.title ?? subject
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escape(subject)}</title><style>${dark}</style></head>`,
    `<body class="page" style="${styles.page};${font}">`,
    // The preview that a list of mails shows beside the subject.
    `<div style="display:none;max-height:0;overflow:hidden">${escape(first)}</div>`,
    `<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" `,
    `style="${styles.page}"><tr><td align="center" style="padding:24px 12px;${font};line-height:1.5">`,
    `<table role="presentation" class="sheet" cellpadding="0" cellspacing="0" style="${styles.sheet}">`,
    '<tr><td align="left" style="padding:32px">',
    element('p', 'brand', senderOf(company)),
    element('h1', 'title', subject),
    ...paragraphs.map((text) => element('p', 'text', text)),
    ...items.map(
      (item) =>
        `<div class="item" style="${styles.item}">${element('p', 'about', item.title)}` +
        `${element('p', 'item_text', item.text)}${linkTo(item, 'anchor')}</div>`,
    ),
    ...(code ? [element('p', 'text', 'Your code:'), element('p', 'code', code)] : []),
    ...(link ? [`<p style="margin:24px 0">${linkTo(link, 'button')}</p>`] : []),
    ...(end ? [element('p', 'soft', end)] : []),
    '</td></tr></table>',
    ...(foot ? [footOf(foot)] : []),
    '</td></tr></table></body></html>',
  ].join('\n')
}

const footOf = ({ text, links }: NonNullable<MailText['foot']>) =>
  `<p class="foot" style="${styles.foot}">${escape(text)}<br>` +
  `${links.map((one) => linkTo(one, 'anchor')).join(' &nbsp;·&nbsp; ')}</p>`
