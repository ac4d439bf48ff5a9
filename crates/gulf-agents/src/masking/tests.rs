//! What becomes stars, and what stays.

use proptest::prelude::*;

use super::{Mask, is_secret_name};

const KEY_LINE: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";

fn mask() -> Mask {
    Mask::new([
        ("DEPLOY_TOKEN", "tok-8f3a9c21d7"),
        ("PGPASSWORD", "postgres"),
        ("CI_SECRET", "true"),
        ("SSH_KEY_PATH", "/home/me/.ssh/id_ed25519"),
        ("MAX_TOKEN", "100000"),
        ("BUILD_NUMBER_KEY", "20240101"),
        ("SIGNING_KEY", "first-line-of-it-0001\nsecond/line+of=it0002"),
        ("URL_PASSWORD", "p@ss/w0rd&more"),
        ("EDITOR", "a-value-2-that-is-not-secret"),
    ])
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let mask = mask();
    let masked = mask.text(text).into_owned();
    assert_eq!(masked, expected);
    assert_eq!(mask.text(&masked), masked, "masking twice changes nothing");
    assert_eq!(masked.matches('\n').count(), text.matches('\n').count(), "lines stay where they were");
}

#[track_caller]
fn check_kept(text: &str) {
    check(text, text);
}

/// Its parts are joined here, so that no scanner takes this file for a leak.
fn token(prefix: &str, body: &str) -> String {
    format!("{prefix}{body}")
}

#[test]
fn values_of_variables_that_are_called_secret_are_stars_wherever_they_stand() {
    check("login failed for tok-8f3a9c21d7.", "login failed for ***.");
    check("xtok-8f3a9c21d7y", "x***y");
    check("DEPLOY_TOKEN=tok-8f3a9c21d7\nHOME=/root\n", "DEPLOY_TOKEN=***\nHOME=/root\n");
    check("GET /?p=p%40ss%2Fw0rd%26more", "GET /?p=***");
}

#[test]
fn an_ordinary_word_is_secret_only_beside_its_name() {
    check("PGPASSWORD=postgres psql -U postgres", "PGPASSWORD=*** psql -U postgres");
    check(r#"{"PGPASSWORD": "postgres"}"#, r#"{"PGPASSWORD": "***"}"#);
    check("'PGPASSWORD': 'postgres'", "'PGPASSWORD': '***'");
    check_kept("connecting to postgres: postgresql is not running");
    check_kept("PGPASSWORD=postgresql-client");
}

#[test]
fn switches_paths_amounts_and_values_of_other_variables_stay() {
    check_kept("CI_SECRET=true; it is true");
    check_kept("reading /home/me/.ssh/id_ed25519");
    check_kept("MAX tokens: 100000 on 20240101");
    check_kept("a-value-2-that-is-not-secret");
    check_kept("PWD=/work/a-project-2/source");
}

#[test]
fn a_value_of_several_lines_is_masked_whole_and_line_by_line() {
    check("first-line-of-it-0001\nsecond/line+of=it0002\n", "***\n***\n");
    check("1: first-line-of-it-0001\n2: second/line+of=it0002", "1: ***\n2: ***");
    check(r#"{"key":"first-line-of-it-0001\nsecond/line+of=it0002"}"#, r#"{"key":"***"}"#);
}

#[test]
fn tokens_of_well_known_services_are_stars_in_any_text() {
    let letters = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6";
    for token in [
        token("AKI", "AIOSFODNN7EXAMPLE"),
        token("gh", &format!("p_{letters}")),
        token("github", &format!("_pat_11ABCDEFG0{letters}")),
        token("gl", "pat-aB3dE6gH9jK2mN5pQ8sT"),
        token("xo", "xb-123456789012-abcdefGHIJ"),
        token("AI", "zaSyA1234567890abcdefghijklmnopqrstuv"),
        token("s", &format!("k-proj-{letters}")),
        token("s", &format!("k-ant-api03-{letters}")),
        token("sk_", &format!("live_{letters}")),
        token("np", &format!("m_{letters}")),
        token("py", &format!("pi-AgEIcHlwaS5vcmc{letters}")),
        token("ey", "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"),
        token("h", &format!("f_{letters}")),
    ] {
        check(&format!("the key {token}, it said"), "the key ***, it said");
        check(&format!("\"{token}\""), "\"***\"");
        check(&format!("한글{token}한글 {token}"), "한글***한글 ***");
    }
}

#[test]
fn words_that_only_begin_like_tokens_stay() {
    check_kept("risk-assessment and sk-learn-contrib-estimators-for-everyone");
    check_kept("npm_config_registry npm_package_json npm_lifecycle_script_of_a_long_name");
    check_kept("AKIA is what they begin with; ASIAN food");
    check_kept("eyJ. the eyJewel.of.the.north");
    check_kept("Bearer authentication is required, bearer tokens expire");
    check_kept("pypi-publish, SG.events, hvs.rs, cio::net, the ghp_ prefix");
    check_kept("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
    check_kept("src/auth/token.rs:12:5: error[E0425]: cannot find value `token` in this scope");
}

#[test]
fn credentials_in_addresses_and_headers_are_stars() {
    check("postgres://app:hunter2@db:5432/app", "postgres://app:***@db:5432/app");
    check("https://user:p:w@example.com/x", "https://user:***@example.com/x");
    check("https://0123456789abcdef0123@github.com/a/b", "https://***@github.com/a/b");
    check_kept("ssh://git@github.com/a/b.git http://localhost:3000/@scope/name");
    check_kept("postgres://$USER:$PASSWORD@db postgres://{user}:{password}@db https://u:<password>@h");
    check("Authorization: Basic dXNlcjpwYXNzMTIz", "Authorization: Basic ***");
    check("-H 'authorization: Bearer abc.def-1234567890'", "-H 'authorization: Bearer ***'");
    check("{\"Authorization\": \"token 0123456789abcdef\"}", "{\"Authorization\": \"token ***\"}");
    check("curl: Bearer 0123456789abcdefXYZ failed", "curl: Bearer *** failed");
    check("//registry.npmjs.org/:_authToken=0123-4567-89ab", "//registry.npmjs.org/:_authToken=***");
    check("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEX", "aws_secret_access_key = ***");
    check_kept("Authorization is needed. Authorization: required");
}

#[test]
fn variables_that_only_a_check_knows_are_stars_by_their_names() {
    check("export STRIPE_API_KEY=\"a1b2c3d4e5\"", "export STRIPE_API_KEY=\"***\"");
    check("+ DB_PASSWORD=s3cr3t-pw ./run", "+ DB_PASSWORD=*** ./run");
    check_kept("API_TOKEN=$(cat token) API_KEY=${KEY:-x} PRIMARY_KEY=user_account TOKEN=get_token(1234)");
    check_kept("MONKEY=banana-1234 KEY=value PASSWORD=None MAX_TOKENS=400000000");
}

#[test]
fn what_stands_beside_a_secret_name_is_stars_however_it_is_spelled() {
    for (text, expected) in [
        (r#"{"password": "xucpqStM54Lqea"}"#, r#"{"password": "***"}"#),
        (r#"{\"password\": \"xucpqStM54Lqea\"}"#, r#"{\"password\": \"***\"}"#),
        ("DB_PASSWORD: 'EZU7copvX5MGIF'", "DB_PASSWORD: '***'"),
        ("api_key = \"sXt1ISKEEFrm\"", "api_key = \"***\""),
        ("GET /x?token=0ithv4qK0zmNQaS4&y=1", "GET /x?token=***&y=1"),
        ("mysql --password=3zifronlPQPn -u root", "mysql --password=*** -u root"),
        ("deploy --token 9dkq3zifronl --dry", "deploy --token *** --dry"),
        ("deploy --api-key '9dkq3zifronl'", "deploy --api-key '***'"),
        ("password: hunter2", "password: ***"),
        ("Password = hunter2x", "Password = ***"),
        ("clientSecret: 'a8Zq-pQ2'", "clientSecret: '***'"),
        ("accessToken=a8ZqpQ2x, more", "accessToken=***, more"),
        (":password => \"s3cr3t-pw\"", ":password => \"***\""),
        ("auth_token := 4f9a0c1e22", "auth_token := ***"),
        ("{User:app Password:s3cr3tpw}", "{User:app Password:***}"),
        ("spring.datasource.password=s3cr3tpw", "spring.datasource.password=***"),
        ("db-password  :   s3cr3tpw", "db-password  :   ***"),
        ("\"secret\":\"xucpqStMLqea\"", "\"secret\":\"***\""),
        ("passphrase='correct-horse-battery-staple'", "passphrase='***'"),
        ("password='p@ss!word'", "password='***'"),
        ("Cookie: session=0ithv4qK0zmNQaS4; path=/", "Cookie: ***; path=/"),
        ("\"key\": \"0ithv4qK0zmNQaS4\"", "\"key\": \"***\""),
        ("token=a1b2c3d4 token=e5f6a7b8", "token=*** token=***"),
        ("bad password: Sup3rSecretVal99zz. Try again", "bad password: ***. Try again"),
        ("wrong password: hunter2: denied", "wrong password: ***: denied"),
        ("비밀번호 password: 한글비밀1234번호", "비밀번호 password: ***"),
    ] {
        check(text, expected);
    }
}

#[test]
fn messages_code_and_counts_beside_such_a_name_stay() {
    for text in [
        "password: ",
        "password:\nhunter2",
        "token: expected string",
        "error: unexpected token: identifier2",
        "unexpected token: 0x7f3a2b1c99",
        "tokens = 5, max_tokens: 4096, token_count=12345678",
        r#"{"token": null, "secret": true, "token": 12345678}"#,
        "password = getpass()",
        "password = os.environ[\"PASSWORD1\"]",
        "password = user1.password",
        "access_token: Option<u64>,",
        "secret_key: uint256",
        "password: Vec<u8>",
        "--- PASS: TestLogin2 (0.00s)",
        "PASS: test_login2.sh",
        "ok auth::tests::login_2_works",
        "src/auth/token.rs:12:5: expected 3 tokens",
        "assert token == 'abc12345'",
        "{\"password\": \"must have 8 characters\"}",
        "{\"password\": \"required\", \"token\": \"invalid\"}",
        "--token TOKEN  --password <password> --token-file token1.txt",
        "key=item12, sort_key: created_at2, cache-key: deps-v2-linux64-node20",
        "\"key\": \"9f86d081884c7d659a2feaa0c55ad015\"",
        "password=$PASSWORD1 token=${TOKEN2} secret: {{ secret3 }} password: %s1234",
        "the password is wrong, 2 keys: a1, b2",
        "password=/run/secrets/db1 token: https://example.com/a1",
        "password_file = db1.txt",
        "compass: a1b2c3d4 pattern=a1b2c3d4 keyboard: a1b2c3d4",
        "token: String, password: &str, secret: Secret",
    ] {
        check_kept(text);
    }
}

#[test]
fn a_field_with_a_secret_name_is_masked_in_a_value() {
    let mut value = serde_json::json!({
        "password": "xucpqStM54Lqea",
        "token": 12,
        "inner": [{"api_key": "sXt1ISKEEFrm", "key": "implement/12/1"}],
        "text": "--token 9dkq3zifronl",
    });
    mask().value(&mut value);
    let expected = serde_json::json!({
        "password": "***",
        "token": 12,
        "inner": [{"api_key": "***", "key": "implement/12/1"}],
        "text": "--token ***",
    });
    assert_eq!(value, expected);
}

#[test]
fn private_keys_keep_their_frame_and_lose_their_body() {
    let dashes = "-----";
    let (begin, end) =
        (format!("{dashes}BEGIN RSA PRIVATE KEY{dashes}"), format!("{dashes}END RSA PRIVATE KEY{dashes}"));
    check(
        &format!("{begin}\n{KEY_LINE}\n{KEY_LINE}\n{end}\nnext"),
        &format!("{begin}\n***\n***\n{end}\nnext"),
    );
    check(&format!("\"{begin}\\n{KEY_LINE}\\n{end}\\n\""), &format!("\"{begin}***{end}\\n\""));
    check(&format!("{begin}\n{KEY_LINE}\n{KEY_LINE}"), &format!("{begin}\n***\n***"));
    check(&format!("cut:\n{KEY_LINE}\n{KEY_LINE}\n{end}\n"), &format!("cut:\n***\n***\n{end}\n"));
    let public = format!("{dashes}BEGIN PUBLIC KEY{dashes}\n{KEY_LINE}\n{dashes}END PUBLIC KEY{dashes}");
    check_kept(&public);
}

#[test]
fn names_say_what_is_secret() {
    for name in ["API_KEY", "GITHUB_TOKEN", "DBPASSWORD", "npm_config__authToken", "DB_PWD", "my-secret"] {
        assert!(is_secret_name(name), "{name}");
    }
    for name in ["PWD", "OLDPWD", "HOME", "KEYBOARD", "PATH", "PATTERN", "MONKEY", "MAX_TOKENS", "COMPASS"] {
        assert!(!is_secret_name(name), "{name}");
    }
}

#[test]
fn a_long_text_is_read_once_and_copied_only_where_something_is_masked() {
    let line = "test result: ok. 12 passed; eyJ sk- AKIA :// KEY= -----BEGIN CERTIFICATE-----\n";
    let text = line.repeat(100_000);
    let mask = mask();
    let counted = allocation_counter::measure(|| assert_eq!(mask.text(&text).len(), text.len()));
    assert!(counted.bytes_max < 1 << 20, "{counted:?}");
}

proptest! {
    #[test]
    fn any_text_keeps_its_lines(
        text in "(?s).{0,200}|(AKIA|sk-|://|KEY=|-----BEGIN |-----END |PRIVATE KEY-----|[a-zA-Z0-9:@\n \"=-]){0,40}"
    ) {
        let mask = mask();
        let masked = mask.text(&text).into_owned();
        prop_assert_eq!(masked.matches('\n').count(), text.matches('\n').count());
    }

    #[test]
    fn any_name_and_value_are_masked_once(
        text in r#"(password|api_key|token|--secret|key|: |=|"|'|\\|\n| |[a-zA-Z0-9@.:-]{1,12}){0,20}"#
    ) {
        let mask = mask();
        let masked = mask.text(&text).into_owned();
        prop_assert_eq!(masked.matches('\n').count(), text.matches('\n').count());
        prop_assert_eq!(mask.text(&masked), masked.as_str());
    }

    #[test]
    fn a_secret_value_never_stays(before in "(?s).{0,40}", after in "(?s).{0,40}") {
        let text = format!("{before}tok-8f3a9c21d7{after}");
        prop_assert!(!mask().text(&text).contains("tok-8f3a9c21d7"));
    }
}
