import { createHmac } from 'node:crypto'
import type { Egress } from '@headwater/server-kit'
import { isUnavailableStatus, type StepOutcome, type StepWork } from '@headwater/runs/server'
import type { TaskKind } from '../task-kinds.ts'
import { errorDetail, problemOf } from './http-request.ts'
import { failed, input, libraryKind, output } from './kind-parts.ts'

/** Creates the kind of task that posts JSON to a URL, signed with a secret. */
export function createWebhook({ egress }: { egress: Pick<Egress, 'request'> }): TaskKind {
  async function run({
    inputs,
    run: { jobId, name, groupName },
    eId,
    signal,
    timeout,
  }: StepWork): Promise<StepOutcome> {
    const problem = problemOf(inputs)
    if (problem !== undefined) return failed(problem)
    const body = inputs.Body || JSON.stringify({ jobId, name, groupName })
    const secret = inputs.Secret ?? ''
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const response = await egress.request({
      url: inputs.URL ?? '',
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        // This id allows the receiver to recognise a repeated delivery.
        'X-Delivery-Id': eId,
        ...(secret === '' ? {} : { 'X-Signature-256': `sha256=${signature}` }),
      },
      body,
      signal,
      timeoutMs: timeout * 1000,
      maxResponseBytes: 1024 * 1024,
    })
    const status = String(response.status)
    const detail = await errorDetail(response.body)
    return response.status >= 200 && response.status < 300
      ? { status: 'INFO', message: `Delivered with the status ${status}.`, outputs: { Status: status } }
      : {
          ...failed(`The receiver responded with the status ${status}.`),
          errors: isUnavailableStatus(response.status) ? ['unavailable'] : ['other'],
          detail,
          outputs: { Status: status },
        }
  }

  return {
    ...libraryKind,
    definitionId: 'webhook',
    definitionName: 'webhook',
    readableName: 'Webhook',
    category: 'Output',
    description: 'Posts JSON to a URL, optionally signed with a secret (HMAC-SHA256).',
    timeout: 60,
    params: [
      input('URL', 'TEXT', 'URL of the receiver.'),
      input('Body', 'JSON', 'JSON to send. Default: the id, name and group of the run.', { optional: true }),
      input('Secret', 'SECRET', 'Secret that signs the body in the header X-Signature-256.', {
        optional: true,
      }),
      output('Status', 'NUMBER', 'HTTP status of the response.'),
    ],
    // The header X-Delivery-Id allows the receiver to recognise a repetition.
    repeatable: true,
    problemOf,
    run,
  }
}
