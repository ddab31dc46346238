import { inTransaction, type Database, type Executor } from '@headwater/server-kit'

/** A task that waits for the decision of approvers. */
export interface StoredApproval {
  /** Id of the run. */
  runId: string
  /** Position of the step within the run. */
  number: number
  /** Text for the approvers. */
  message: string
  /** Number of required approvals. */
  required: number
  /** Time of the request. */
  requestedAt: Date
  /** Time of the default decision. */
  deadline: Date | undefined
  /** Default decision. */
  approvesAtDeadline: boolean
  /** The decision; undefined before it. */
  isApproved: boolean | undefined
  /** Name of the administrator who decided instead of the approvers. */
  administrator: string | undefined
  /** Approvers, ordered by address. */
  approvers: readonly Approver[]
}

/** An approver of a task. */
export interface Approver {
  /** E-mail address in lower case, which is the user name. */
  address: string
  /** Hash of the token of the mailed link. */
  tokenHash: string | undefined
  /** Whether the e-mail was sent. */
  isSent: boolean
  /** Time of the decision. */
  decidedAt: Date | undefined
  /** The decision. */
  isApproved: boolean | undefined
}

/** A new request for a decision. */
export type NewApproval = Omit<StoredApproval, 'isApproved' | 'administrator' | 'approvers'> & {
  /** Id of the step in statuses. */
  eId: string
  /** E-mail addresses in lower case. */
  addresses: readonly string[]
}

/** Store of approvals. */
export type ApprovalsStore = ReturnType<typeof createApprovalsStore>

/** Creates the store. */
export function createApprovalsStore(database: Database) {
  const { pool } = database
  return {
    /** Runs `work` in one transaction and rolls back if it throws. */
    transaction: <T>(work: (executor: Executor) => Promise<T>): Promise<T> => inTransaction(database, work),

    /** Stores a request, unless the step already has one. */
    async open(approval: NewApproval, executor: Executor): Promise<void> {
      const { rows } = await executor.query(
        `insert into approvals (run_id, number, e_id, message, required, requested_at, deadline, approves_at_deadline)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning number`,
        [
          approval.runId,
          approval.number,
          approval.eId,
          approval.message,
          approval.required,
          approval.requestedAt,
          approval.deadline ?? null,
          approval.approvesAtDeadline,
        ],
      )
      if (rows.length === 0) return
      await executor.query(
        `insert into approval_requests (run_id, number, address) select $1, $2, unnest($3::text[])`,
        [approval.runId, approval.number, approval.addresses],
      )
    },

    /** Returns a request. With `forUpdate`, other decisions on it wait until the transaction ends. */
    async find(
      runId: string,
      number: number,
      { executor = pool, forUpdate = false }: { executor?: Executor; forUpdate?: boolean } = {},
    ): Promise<StoredApproval | undefined> {
      const lock = forUpdate ? ' for update' : ''
      const { rows } = await executor.query(
        `select * from approvals where run_id = $1 and number = $2${lock}`,
        [runId, number],
      )
      const row = rows[0] as ApprovalRow | undefined
      if (row === undefined) return undefined
      const { rows: approvers } = await executor.query(
        'select * from approval_requests where run_id = $1 and number = $2 order by address',
        [runId, number],
      )
      return toApproval(row, approvers as ApproverRow[])
    },

    /** Returns the step and the approver that a token belongs to. */
    async findByToken(
      tokenHash: string,
    ): Promise<{ runId: string; number: number; address: string } | undefined> {
      const { rows } = await pool.query(
        'select run_id as "runId", number, address from approval_requests where token_hash = $1',
        [tokenHash],
      )
      return rows[0] as { runId: string; number: number; address: string } | undefined
    },

    /** Returns the decision on the step with this id in statuses. */
    async decisionOf(runId: string, eId: string): Promise<StoredApproval | undefined> {
      const { rows } = await pool.query('select number from approvals where run_id = $1 and e_id = $2', [
        runId,
        eId,
      ])
      const row = rows[0] as { number: number } | undefined
      return row === undefined ? undefined : this.find(runId, row.number)
    },

    /** Replaces the token of an approver who has not received an e-mail. */
    async setToken(
      { runId, number, address }: { runId: string; number: number; address: string },
      tokenHash: string,
    ): Promise<void> {
      await pool.query(
        'update approval_requests set token_hash = $4 where run_id = $1 and number = $2 and address = $3 and sent_at is null',
        [runId, number, address, tokenHash],
      )
    },

    /** Records that the e-mail was sent. */
    async setSent(
      { runId, number, address }: { runId: string; number: number; address: string },
      at: Date,
    ): Promise<void> {
      await pool.query(
        'update approval_requests set sent_at = $4 where run_id = $1 and number = $2 and address = $3',
        [runId, number, address, at],
      )
    },

    /** Stores the decision of an approver. */
    async decide(
      { runId, number, address }: { runId: string; number: number; address: string },
      decision: { isApproved: boolean; approveTime: string | undefined; at: Date },
      executor: Executor,
    ): Promise<void> {
      await executor.query(
        `update approval_requests set decided_at = $4, is_approved = $5, approve_time = $6
         where run_id = $1 and number = $2 and address = $3`,
        [runId, number, address, decision.at, decision.isApproved, decision.approveTime ?? null],
      )
    },

    /** Stores the decision on a step, with the name of the administrator if one decided instead of the approvers. */
    async close(
      { runId, number }: { runId: string; number: number },
      { isApproved, administrator }: { isApproved: boolean; administrator?: string },
      executor: Executor,
    ): Promise<void> {
      await executor.query(
        'update approvals set is_approved = $3, decided_by = $4 where run_id = $1 and number = $2',
        [runId, number, isApproved, administrator ?? null],
      )
    },
  }
}

interface ApprovalRow {
  run_id: string
  number: number
  message: string
  required: number
  requested_at: Date
  deadline: Date | null
  approves_at_deadline: boolean
  is_approved: boolean | null
  decided_by: string | null
}

interface ApproverRow {
  address: string
  token_hash: string | null
  sent_at: Date | null
  decided_at: Date | null
  is_approved: boolean | null
}

function toApproval(row: ApprovalRow, approvers: readonly ApproverRow[]): StoredApproval {
  return {
    runId: row.run_id,
    number: row.number,
    message: row.message,
    required: row.required,
    requestedAt: row.requested_at,
    deadline: row.deadline ?? undefined,
    approvesAtDeadline: row.approves_at_deadline,
    isApproved: row.is_approved ?? undefined,
    administrator: row.decided_by ?? undefined,
    approvers: approvers.map((approver) => ({
      address: approver.address,
      tokenHash: approver.token_hash ?? undefined,
      isSent: approver.sent_at !== null,
      decidedAt: approver.decided_at ?? undefined,
      isApproved: approver.is_approved ?? undefined,
    })),
  }
}
