#pragma once

// A CUDA source file under translation.

#include <string>
#include <string_view>
#include <vector>

inline constexpr std::string_view blanks = " \t\n";

bool is_name(char c);
std::string trimmed(std::string_view text);
std::string newlines_of(std::string_view text);

/// The text with blanks in place of comments.
std::string without_comments(const std::string& text);

/// Memory of the GPU is aligned for every type.
std::string without_alignment(std::string text);

/// At the commas that are in no brackets.
std::vector<std::string> split(const std::string& text);

/// The text, and the same without comments and literals, to search in.
class Source {
  public:
    Source(std::string name, std::string text);

    const std::string& text() const { return text_; }
    const std::string& code() const { return code_; }

    /// Throws std::runtime_error, with the line.
    [[noreturn]] void fail(std::size_t at, const std::string& what) const;

    void replace(std::size_t begin, std::size_t end, const std::string& by);

    /// The next place of a name, as a whole word.
    std::size_t find_name(std::string_view name, std::size_t from) const;

    std::size_t before_blanks(std::size_t at) const;

    /// The parenthesis that closes the one at `open`.
    std::size_t closing(std::size_t open) const;

  private:
    std::string name_;
    std::string text_;
    std::string code_;
};

/// `__device__ T a[N] = value, b;` and the same with `__constant__` become references to memory of
/// the GPU. Constants (`__device__ const`) stay: a compiler puts them into memory of the program.
void translate_variables(Source& source);

/// `kernel<<<grid, block>>>(a, {b, c})` becomes a call of a function.
void translate_launches(Source& source);
