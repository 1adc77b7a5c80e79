/**
 * Settings of the session whose transaction makes writes wait. The server ends the session if the command waits for 10 seconds
 * between two statements, if its machine has not responded for 20 seconds, and about a second after the command was killed.
 */
export const MOVER_SESSION = `
  set client_connection_check_interval to '1s'; set idle_in_transaction_session_timeout to '10s';
  set tcp_keepalives_idle to 5; set tcp_keepalives_interval to 5; set tcp_keepalives_count to 3; set tcp_user_timeout to '20s'`;
