import { linkParagraph, oneLine, type Mail } from '@headwater/server-kit'

/** Returns the e-mail to a recipient of a shared pipeline. */
export function shareMail({
  to,
  pipelineName,
  groupName,
  sender,
  message,
  path,
  publicUrl,
}: {
  to: string
  pipelineName: string
  groupName: string
  sender: string
  message: string
  path: string
  publicUrl?: string | undefined
}): Mail {
  const lines = [
    `${oneLine(sender)} shared the pipeline ${oneLine(pipelineName)} (group ${oneLine(groupName)}) with you.`,
    message.trim(),
    linkParagraph(publicUrl, path, 'Open this page to see it:'),
  ]
  return {
    to,
    subject: `${oneLine(sender)} shared a pipeline: ${oneLine(pipelineName)}`.slice(0, 250),
    text: lines.filter((line) => line !== '').join('\n\n'),
  }
}
