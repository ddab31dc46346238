-- Name of the administrator who decided instead of the approvers.
alter table approvals add column decided_by text;
