//! `gulf mcp`: what a worker says by commands, as tools of a server on its standard streams (SPEC B6, B15).
//!
//! Only here anything is asynchronous: the protocol's library wants it. What the tools are and do knows no protocol,
//! and is in `tools`.

mod tools;

use std::sync::Arc;

use gulf_runner::masking;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    ToolAnnotations,
};
use rmcp::service::{QuitReason, RequestContext, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt, model};
use serde_json::{Value, json};

use crate::failure::{Failure, Result};
use crate::out::masked;
use tools::{TOOLS, Tool};

/// A longer message is not read: far more than the longest question with all its options takes.
const MESSAGE_BYTES_MAX: usize = 1 << 20;

const INSTRUCTIONS: &str = "gulf runs the work in a loop that ends when the gates verify it, not when you say so. \
    These tools are for the worker of such a loop, within its turn; outside of one they only say so.";

/// Serves until standard input is closed.
pub fn mcp() -> Result<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Failure::broken)?;
    let served = runtime.block_on(serve());
    // A thread that reads standard input cannot be woken, and nobody waits for what it reads.
    runtime.shutdown_background();
    served.map(|()| 0)
}

async fn serve() -> Result<()> {
    let streams = AsyncRwTransport::new(tokio::io::stdin(), tokio::io::stdout());
    let service = match Server.serve(streams.with_max_line_length(MESSAGE_BYTES_MAX)).await {
        Ok(service) => service,
        // Nobody wanted anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(not_spoken(&error)),
    };
    match service.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(Failure::broken(error)),
        Ok(_) => Ok(()),
    }
}

/// In gulf's words: the library's hold what the client sent.
fn not_spoken(error: &ServerInitializeError) -> Failure {
    let hint = "an agent's program starts it and speaks the Model Context Protocol; see `gulf mcp --help`";
    if let ServerInitializeError::ExpectedInitializeRequest(_) = error {
        return Failure::usage("the client did not begin with a request to `initialize`", hint);
    }
    Failure::world(error, Some(hint.to_owned()))
}

#[derive(Clone, Copy, Debug)]
struct Server;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("gulf", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.map(described).into()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.into_iter().find(|tool| tool.name() == request.name) else {
            let known = TOOLS.map(Tool::name).join(", ");
            let what = format!("there is no such tool; known are: {known}");
            return Err(ErrorData::invalid_params(what, None));
        };
        let answer = tool.call(Value::Object(request.arguments.unwrap_or_default()));
        Ok(answer.map_or_else(|failure| refused(&failure), answered).into())
    }

    /// Whatever the library cannot read; a call of another form is not a method that there is not.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == "tools/call" {
            let form = "a call names a tool in `name`, and has its arguments as an object in `arguments`";
            return Err(ErrorData::invalid_params(form, None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None))
    }
}

fn described(tool: Tool) -> model::Tool {
    let schema = if let Value::Object(schema) = tool.schema() { schema } else { model::JsonObject::new() };
    let annotations = if tool.only_looks() {
        ToolAnnotations::new().read_only(true)
    } else {
        ToolAnnotations::new().read_only(false).destructive(false).idempotent(true)
    };
    model::Tool::new(tool.name(), tool.description(), Arc::new(schema))
        .with_annotations(annotations.open_world(false))
}

fn answered(mut answer: Value) -> CallToolResult {
    if let Value::String(text) = answer {
        return CallToolResult::success(vec![ContentBlock::text(masked(&text).into_owned())]);
    }
    masking::of_this_process().value(&mut answer);
    CallToolResult::structured(answer)
}

/// A result and no error of the protocol: that one a model is not shown.
fn refused(failure: &Failure) -> CallToolResult {
    let error = masked(&failure.in_one_line()).into_owned();
    let hint = failure.hint();
    let text = hint.map_or_else(|| format!("error: {error}"), |hint| format!("error: {error}\nhint: {hint}"));
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = Some(json!({ "error": error, "hint": hint }));
    result
}
