//! What is a comment, a text and a keyword in which language: a table, by the ending of a file's name.

/// One language, as far as colours need it.
#[derive(Debug)]
pub(super) struct SyntaxRules {
    endings: &'static str,
    pub(super) line_comment: &'static str,
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// Texts that may go over lines, and begin and end alike.
    pub(super) long_texts: &'static [&'static str],
    pub(super) quotes: &'static str,
    /// `'` holds one letter, or begins something else, such as a lifetime.
    pub(super) has_letters: bool,
    keywords: &'static str,
}

impl SyntaxRules {
    /// Of what has no rules nothing is coloured.
    pub(super) fn of_path(path: &str) -> Option<&'static SyntaxRules> {
        let (_, ending) = path.rsplit('/').next()?.rsplit_once('.')?;
        RULES.iter().find(|rules| rules.endings.split(' ').any(|one| one == ending))
    }

    pub(super) fn has_keyword(&self, word: &str) -> bool {
        self.keywords.split(' ').any(|one| one == word)
    }
}

const SLASHES: Option<(&str, &str)> = Some(("/*", "*/"));
/// Like C, with letters between single quotes.
const CURLY: SyntaxRules = SyntaxRules {
    endings: "",
    line_comment: "//",
    block_comment: SLASHES,
    long_texts: &[],
    quotes: "\"",
    has_letters: true,
    keywords: "",
};
/// Like a shell.
const HASHED: SyntaxRules =
    SyntaxRules { line_comment: "#", block_comment: None, quotes: "\"'", has_letters: false, ..CURLY };

static RULES: [SyntaxRules; 13] = [
    SyntaxRules {
        endings: "rs",
        keywords: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod \
            move mut pub ref return self Self static struct super trait true type unsafe use where while",
        ..CURLY
    },
    SyntaxRules {
        endings: "py pyi",
        long_texts: &["\"\"\"", "'''"],
        keywords: "False None True and as assert async await break case class continue def del elif else except finally for \
            from global if import in is lambda match nonlocal not or pass raise return try while with yield",
        ..HASHED
    },
    SyntaxRules {
        endings: "js jsx mjs cjs ts tsx mts cts",
        long_texts: &["`"],
        quotes: "\"'",
        has_letters: false,
        keywords: "abstract any as async await boolean break case catch class const continue declare default delete do else enum \
            export extends false finally for from function get if implements import in instanceof interface keyof let namespace \
            never new null number of private protected public readonly return set static string super switch this throw true \
            try type typeof undefined unknown var void while with yield",
        ..CURLY
    },
    SyntaxRules {
        endings: "go",
        long_texts: &["`"],
        keywords: "any bool break byte case chan const continue default defer else error fallthrough false for func go goto if \
            import int interface map nil package range return rune select string struct switch true type var",
        ..CURLY
    },
    SyntaxRules {
        endings: "java kt kts scala groovy",
        long_texts: &["\"\"\""],
        keywords: "abstract boolean break case catch class const continue data def default do double else enum extends false final \
            finally float for fun if implements import in instanceof int interface is lateinit long match new null object \
            override package private protected public record return sealed short static super switch synchronized this throw \
            throws trait true try val var void volatile when while yield",
        ..CURLY
    },
    SyntaxRules {
        endings: "c h cc cpp cxx hpp hh m",
        keywords: "auto bool break case catch char class const constexpr continue default define delete do double else enum extern \
            false final float for if ifdef ifndef endif include inline int long namespace new noexcept nullptr operator override \
            private protected public return short signed sizeof static struct switch template this throw true try typedef \
            typename union unsigned using virtual void volatile while NULL",
        ..CURLY
    },
    SyntaxRules {
        endings: "cs swift dart php zig",
        long_texts: &["\"\"\""],
        keywords: "abstract as async await base bool break case catch class const continue default defer do else enum export extends \
            extension false final finally fn for foreach func function get guard if implements import in init int interface \
            internal is let namespace new nil null object override private protected public pub readonly return sealed self set \
            static string struct super switch this throw throws true try typealias use using var virtual void where while yield",
        ..CURLY
    },
    SyntaxRules { endings: "css scss less", quotes: "\"'", has_letters: false, line_comment: "", ..CURLY },
    SyntaxRules { endings: "json jsonc json5", has_letters: false, keywords: "true false null", ..CURLY },
    SyntaxRules {
        endings: "rb rake gemspec",
        keywords: "alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or \
            redo rescue retry return self super then true undef unless until when while yield require",
        ..HASHED
    },
    SyntaxRules {
        endings: "sh bash zsh",
        keywords: "case do done elif else esac exit export fi for function if in local readonly return set shift then trap unset \
            until while",
        ..HASHED
    },
    SyntaxRules {
        endings: "toml yaml yml",
        keywords: "true false null",
        long_texts: &["\"\"\"", "'''"],
        ..HASHED
    },
    SyntaxRules {
        endings: "sql lua",
        line_comment: "--",
        keywords: "and as by case create delete do else elseif end false for from function group if in index insert into is join \
            key left limit local nil not null on or order primary repeat return select set table then true until update values \
            where while AND AS BY CASE CREATE DELETE ELSE END FROM GROUP IN INDEX INSERT INTO IS JOIN KEY LEFT LIMIT NOT NULL ON \
            OR ORDER PRIMARY SELECT SET TABLE THEN UPDATE VALUES WHERE",
        ..HASHED
    },
];
